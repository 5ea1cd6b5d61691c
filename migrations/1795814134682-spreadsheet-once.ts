// A spreadsheet belongs to one company: two would overwrite and read each other's reports. The first registration stays.
import { migration } from '../packages/database/migration/migrate.ts';

const table = 'report_spreadsheet';

export default migration('1795814134682-spreadsheet-once', async (m) => {
  await m.statement({
    sqlite: `DELETE FROM ${table} WHERE EXISTS (SELECT 1 FROM ${table} AS earlier
      WHERE earlier.spreadsheet_id = ${table}.spreadsheet_id AND earlier.sheet_id < ${table}.sheet_id)`,
    mysql: `DELETE later FROM ${table} AS later JOIN ${table} AS earlier
      ON earlier.spreadsheet_id = later.spreadsheet_id AND earlier.sheet_id < later.sheet_id`,
  });
  await m.addIndex(table, ['spreadsheet_id'], { unique: true });
  await m.dropIndex(table, ['company_number', 'spreadsheet_id'], { unique: true });
});
