// Watches mailboxes by mails to themselves.
import { migration } from '../packages/database/migration/migrate.ts';
import { flag, int, key, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1795712079404-mailbox-canaries', async (m) => {
  await m.addColumn('mailbox', 'canary', flag().default(false));
  await m.addColumn('mailbox_state', 'lag_seconds', int().nullable());
  await m.addColumn('mailbox_state', 'late_since', when().nullable());
  await m.createTable(
    'mailbox_canary',
    {
      canary_id: key(40).primary(),
      mailbox_id: ref('mailbox.mailbox_id'),
      sent_at: when(),
      arrived_at: when().nullable(),
      error: text(500).nullable(),
    },
    [['mailbox_id', 'sent_at'], ['sent_at']],
  );
});
