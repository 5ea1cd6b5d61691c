// Adds an index for the articles of a ticket.
import { migration } from '../packages/database/migration/migrate.ts';

export default migration('1795694400089-articles-of-tickets', async (m) => {
  await m.addIndex('kb_related', ['entity_type', 'entity_id', 'article_id']);
});
