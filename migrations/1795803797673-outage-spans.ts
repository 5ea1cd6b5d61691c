// Keeps the earlier times of outages that become active again.
import { z } from 'zod';
import { migration } from '../packages/database/migration/migrate.ts';
import { json } from '../packages/database/schema/table.ts';

export default migration('1795803797673-outage-spans', async (m) => {
  await m.addColumn('outage', 'earlier_spans', json(z.unknown()).nullable());
});
