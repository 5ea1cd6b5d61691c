// Marks received mails that were answered automatically.
import { migration } from '../packages/database/migration/migrate.ts';
import { flag } from '../packages/database/schema/table.ts';

export default migration('1795764185211-mailbox-answered', async (m) => {
  await m.addColumn('mailbox_message', 'answered', flag().default(false));
});
