// Adds the author to webhooks, for limits per person or key.
import { migration } from '../core/database/migrate.ts';
import { choice, int } from '../core/database/table.ts';

export default migration('1763700000075-webhook-authors', async (m) => {
  await m.addColumn(
    'webhook',
    'author_type',
    choice('technician', 'employee', 'api', 'system', 'assistant').nullable(),
  );
  await m.addColumn('webhook', 'author_id', int().nullable());
});
