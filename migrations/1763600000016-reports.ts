// The tables of the module reports.
import { z } from 'zod';
import { migration } from '../packages/database/migration/migrate.ts';
import { day, flag, id, int, json, key, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1763600000016-reports', async (m) => {
  await m.createTable(
    'report',
    {
      report_id: id(),
      surface: text(40),
      company_number: ref('company.company_number').nullable(),
      owner_type: text(40),
      owner_id: int(),
      name: text(255),
      description: text(),
      source: text(64),
      fields: json(z.unknown()),
      filters: json(z.unknown()),
      group_by: text(64).nullable(),
      aggregates: json(z.unknown()),
      sort: json(z.unknown()),
      shared: flag().default(false),
      schedule: json(z.unknown()).nullable(),
      next_run_at: when().nullable(),
      created_by: text(255),
      last_run_at: when().nullable(),
      last_problem: text(255).nullable(),
      created_at: when(),
      updated_at: when(),
    },
    [['surface', 'company_number', 'created_at', 'report_id'], ['surface', 'created_at', 'report_id'], ['next_run_at']],
  );
  await m.createTable('report_mail_use', {
    company_number: int().primary(),
    day: day(),
    mails: int(),
  });
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
