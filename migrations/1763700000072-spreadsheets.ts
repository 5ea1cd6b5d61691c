// Adds spreadsheets to which a company's people may export reports.
import { migration } from '../core/database/migrate.ts';
import { id, key, ref, text, when } from '../core/database/table.ts';

export default migration('1763700000072-spreadsheets', async (m) => {
  await m.createTable(
    'report_spreadsheet',
    {
      sheet_id: id(),
      company_number: ref('company.company_number'),
      name: text(255),
      spreadsheet_id: key(128),
      created_at: when(),
      updated_at: when(),
    },
    [
      ['company_number', 'created_at', 'sheet_id'],
      ['created_at', 'sheet_id'],
    ],
    { unique: [['company_number', 'spreadsheet_id']] },
  );
});
