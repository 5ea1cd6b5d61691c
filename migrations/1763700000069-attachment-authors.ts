// Allows summing a person's attachments without reading them.
import { migration } from '../core/database/migrate.ts';

export default migration('1763700000069-attachment-authors', (m) =>
  m.addIndex('attachment', ['author_type', 'author_id', 'size']),
);
