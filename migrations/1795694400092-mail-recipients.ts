// Adds the addressees of received mails.
import { z } from 'zod';
import { migration } from '../packages/database/migration/migrate.ts';
import { json } from '../packages/database/schema/table.ts';

const people = z.array(z.object({ name: z.string(), address: z.string() }));

export default migration('1795694400092-mail-recipients', async (m) => {
  await m.addColumn('mailbox_message', 'addressees', json(z.object({ to: people, cc: people })).nullable());
});
