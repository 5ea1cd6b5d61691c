// Adds the address for internal notes, and how long replies reopen tickets.
import { migration } from '../packages/database/migration/migrate.ts';
import { int, text } from '../packages/database/schema/table.ts';

export default migration('1795922593965-mailbox-notes', async (m) => {
  await m.addColumn('mailbox', 'note_address', text(254).nullable());
  await m.addColumn('mailbox', 'reopen_days', int().default(14));
});
