// Adds the date of a recurring ticket whose tickets could not be created yet.
import { z } from 'zod';
import { migration } from '../packages/database/migration/migrate.ts';
import { json } from '../packages/database/schema/table.ts';

export default migration('1796235568517-waiting-dates', async (m) => {
  await m.addColumn('recurring_ticket', 'waiting', json(z.unknown()).nullable());
});
