// Rules for mails from unknown senders.
import { migration } from '../packages/database/migration/migrate.ts';
import { choice, id, key, ref, when } from '../packages/database/schema/table.ts';

export default migration('1795899104165-mailbox-rules', async (m) => {
  await m.createTable(
    'mailbox_rule',
    {
      rule_id: id(),
      sender: key(254).unique(),
      outcome: choice('add_contact', 'block'),
      company_number: ref('company.company_number').nullable(),
      created_at: when(),
      updated_at: when(),
    },
    [['company_number', 'sender', 'rule_id']],
  );
});
