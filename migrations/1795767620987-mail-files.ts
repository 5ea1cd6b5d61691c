// Adds the files of a record that go out with a mail about it.
import { z } from 'zod';
import { migration } from '../packages/database/migration/migrate.ts';
import { json } from '../packages/database/schema/table.ts';

export default migration('1795767620987-mail-files', async (m) => {
  await m.addColumn('mail', 'files', json(z.array(z.unknown())).nullable());
});
