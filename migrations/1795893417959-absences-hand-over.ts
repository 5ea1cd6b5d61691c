// Absences can hand over open tickets.
import { migration } from '../packages/database/migration/migrate.ts';
import { flag, ref, when } from '../packages/database/schema/table.ts';

export default migration('1795893417959-absences-hand-over', async (m) => {
  await m.addColumn('absence', 'hand_over', flag().default(false));
  await m.addColumn('absence', 'substitute_user_id', ref('technician.user_id').nullable());
  await m.addColumn('absence', 'handed_over_at', when().nullable());
});
