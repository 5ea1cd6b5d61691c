// Adds why the files of a received mail are not attached yet.
import { migration } from '../packages/database/migration/migrate.ts';
import { text } from '../packages/database/schema/table.ts';

export default migration('1795858057873-mail-files-problem', async (m) => {
  await m.addColumn('mailbox_message', 'files_problem', text(500).default(''));
});
