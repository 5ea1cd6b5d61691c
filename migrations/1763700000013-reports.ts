// Initial report tables. Later changes are separate migrations.
import { migration } from '../core/database/migrate.ts';
import { choice, flag, id, int, json, ref, text, when } from '../core/database/table.ts';
import { z } from 'zod';

export default migration('1763700000013-reports', async (m) => {
  await m.createTable(
    'report',
    {
      report_id: id(),
      surface: choice('helpdesk', 'admin'),
      company_number: ref('company.company_number').nullable(),
      owner_type: choice('employee', 'technician', 'api'),
      owner_id: int(),
      name: text(255),
      description: text().default(''),
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
      created_at: when(),
      updated_at: when(),
    },
    [['surface', 'company_number', 'created_at', 'report_id'], ['surface', 'created_at', 'report_id'], ['next_run_at']],
  );
});
