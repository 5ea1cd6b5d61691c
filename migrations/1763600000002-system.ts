// The tables of the module system.
import { migration } from '../packages/database/migration/migrate.ts';
import { id, int, text, when } from '../packages/database/schema/table.ts';

export default migration('1763600000002-system', async (m) => {
  await m.createTable('logo', {
    logo_id: id(),
    content_type: text(40),
    image: text(),
    size: int(),
    created_at: when(),
  });
});
