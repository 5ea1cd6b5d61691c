// Marks received mails that were answered automatically.
import { migration } from '../core/database/migrate.ts';
import { flag } from '../core/database/table.ts';

export default migration('1795764185211-mailbox-answered', async (m) => {
  await m.addColumn('mailbox_message', 'answered', flag().default(false));
});
