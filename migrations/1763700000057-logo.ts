// Stores the provider's logo locally, for documents and so that no other server learns who views it.
import { migration } from '../core/database/migrate.ts';
import { choice, id, int, text, when } from '../core/database/table.ts';

export default migration('1763700000057-logo', async (m) => {
  await m.createTable('logo', {
    logo_id: id(),
    content_type: choice('image/png', 'image/jpeg'),
    image: text(),
    size: int(),
    created_at: when(),
  });
});
