// Counts how often a contact has moved an appointment.
import { migration } from '../packages/database/migration/migrate.ts';
import { int } from '../packages/database/schema/table.ts';

export default migration('1795802150683-appointment-moves', async (m) => {
  await m.addColumn('appointment', 'customer_moves', int().default(0));
});
