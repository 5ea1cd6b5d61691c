// Initial timers. Later changes are separate migrations.
import { migration } from '../core/database/migrate.ts';
import { id, int, ref, when } from '../core/database/table.ts';

export default migration('1763700000046-timers', async (m) => {
  await m.createTable(
    'timer',
    {
      timer_id: id(),
      user_id: ref('technician.user_id'),
      ticket_id: ref('ticket.ticket_id'),
      running_of: int().nullable().unique(),
      started_at: when().nullable(),
      seconds: int().default(0),
      created_at: when(),
    },
    [['ticket_id']],
    { unique: [['user_id', 'ticket_id']] },
  );
});
