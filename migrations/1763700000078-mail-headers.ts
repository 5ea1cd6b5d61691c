// Adds thread headers and sender names to mails.
import { z } from 'zod';
import { migration } from '../core/database/migrate.ts';
import { json } from '../core/database/table.ts';

export default migration('1763700000078-mail-headers', (m) =>
  m.addColumn('mail', 'headers', json(z.unknown()).nullable()),
);
