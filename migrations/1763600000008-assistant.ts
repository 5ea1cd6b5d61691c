// The tables of the module assistant.
import { migration } from '../packages/database/migration/migrate.ts';
import { day, int } from '../packages/database/schema/table.ts';

export default migration('1763600000008-assistant', async (m) => {
  await m.createTable(
    'assistant_usage',
    {
      company_number: int().primary(),
      day: day().primary(),
      tokens: int().default(0),
    },
    [['day']],
  );
});
