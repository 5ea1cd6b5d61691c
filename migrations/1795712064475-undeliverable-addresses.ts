// Remembers mail addresses that do not exist any more.
import { migration } from '../packages/database/migration/migrate.ts';
import { int, key, text, when } from '../packages/database/schema/table.ts';

export default migration('1795712064475-undeliverable-addresses', async (m) => {
  await m.createTable(
    'undeliverable_address',
    {
      email_key: key(254).primary(),
      address: text(254),
      why: text(300),
      ticket_id: int().nullable(),
      created_at: when(),
    },
    [['ticket_id']],
  );
});
