// Adds the sender of mails.
import { migration } from '../packages/database/migration/migrate.ts';
import { key } from '../packages/database/schema/table.ts';

export default migration('1795707445293-mail-sender', async (m) => {
  await m.addColumn('mail', 'sender', key(40).nullable());
});
