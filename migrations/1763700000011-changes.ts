// Initial change feed.
import { migration } from '../core/database/migrate.ts';
import { choice, flag, id, int, text, when } from '../core/database/table.ts';

export default migration('1763700000011-changes', async (m) => {
  await m.createTable(
    'record_change',
    {
      change_id: id(),
      type: text(64),
      record_id: int(),
      kind: choice('created', 'changed', 'removed'),
      company_number: int().nullable(),
      internal: flag().default(false),
      author_type: choice('technician', 'employee', 'api', 'system', 'assistant'),
      author_id: int().nullable(),
      indexed: flag().default(true),
      created_at: when(),
    },
    [['indexed', 'created_at']],
  );
});
