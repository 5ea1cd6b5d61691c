// Adds which ticket a mail names that is held for review, so that the ticket shows it.
import { migration } from '../packages/database/migration/migrate.ts';
import { int } from '../packages/database/schema/table.ts';

export default migration('1795907754673-held-mails', async (m) => {
  await m.addColumn('mailbox_message', 'about_ticket_id', int().nullable());
  await m.addIndex('mailbox_message', ['about_ticket_id', 'received_id']);
});
