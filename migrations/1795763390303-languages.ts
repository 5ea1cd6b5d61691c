// Adds the languages of people and companies.
import { migration } from '../packages/database/migration/migrate.ts';
import { key } from '../packages/database/schema/table.ts';

export default migration('1795763390303-languages', async (m) => {
  await m.addColumn('company', 'language', key(16).nullable());
  await m.addColumn('employee', 'language', key(16).nullable());
  await m.addColumn('technician', 'language', key(16).nullable());
});
