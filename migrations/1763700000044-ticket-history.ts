// Adds merged tickets and edited notes.
import { migration } from '../core/database/migrate.ts';
import { int, when } from '../core/database/table.ts';

export default migration('1763700000044-ticket-history', async (m) => {
  await m.addColumn('ticket_comment', 'edited_at', when().nullable());
  await m.createTable('ticket_merge', { ticket_id: int().primary(), into_id: int(), merged_at: when() }, [['into_id']]);
});
