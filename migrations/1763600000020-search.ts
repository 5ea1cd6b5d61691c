// The tables of the module search.
import { z } from 'zod';
import { migration } from '../packages/database/migration/migrate.ts';
import { id, json, key, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1763600000020-search', async (m) => {
  await m.createTable(
    'saved_search',
    {
      search_id: id(),
      employee_number: ref('employee.employee_number'),
      name: text(255),
      name_key: key(),
      query: text(255),
      types: json(z.unknown()),
      filters: json(z.unknown()),
      created_at: when(),
    },
    [['employee_number', 'created_at', 'search_id']],
    { unique: [['employee_number', 'name_key']] },
  );
});
