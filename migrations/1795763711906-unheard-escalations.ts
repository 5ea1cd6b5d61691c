// Adds what an escalation has to know to run again when nobody was available.
import { migration } from '../packages/database/migration/migrate.ts';
import { flag, int } from '../packages/database/schema/table.ts';

export default migration('1795763711906-unheard-escalations', async (m) => {
  await m.addColumn('escalation', 'heard', flag().default(false));
  await m.addColumn('escalation', 'unheard_rounds', int().default(0));
});
