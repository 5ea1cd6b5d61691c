// Imports, and what each of them stored, so that it can be undone.
import { z } from 'zod';
import { migration } from '../packages/database/migration/migrate.ts';
import { choice, flag, id, int, json, key, text, when } from '../packages/database/schema/table.ts';

export default migration('1795709723298-imports', async (m) => {
  await m.createTable(
    'import_run',
    {
      import_id: id(),
      noun: key(64),
      file_name: text(255).default(''),
      status: choice('checking', 'running', 'done', 'undoing', 'undone'),
      cancelled: flag().default(false),
      author_type: choice('technician', 'employee', 'api', 'system', 'assistant'),
      author_id: int().nullable(),
      author_name: text(255).default(''),
      company_number: int().nullable(),
      total: int().default(0),
      processed: int().default(0),
      created: int().default(0),
      updated: int().default(0),
      failed: int().default(0),
      removed: int().default(0),
      restored: int().default(0),
      kept: int().default(0),
      undone_by: text(255).default(''),
      undone_at: when().nullable(),
      finished_at: when().nullable(),
      created_at: when(),
      updated_at: when(),
    },
    [['status', 'updated_at'], ['author_type', 'author_id', 'created_at'], ['created_at']],
  );
  await m.createTable(
    'import_row',
    {
      row_id: id(),
      import_id: int(),
      record_id: int(),
      state: choice('created', 'changed', 'kept'),
      before: json(z.record(z.string(), z.unknown())),
      stamp: when(),
      label: text(255).default(''),
      reason: text(255).default(''),
    },
    [['import_id', 'state', 'row_id']],
    { unique: [['import_id', 'record_id']] },
  );
});
