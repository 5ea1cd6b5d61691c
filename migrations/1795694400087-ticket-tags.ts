// Adds tags of tickets.
import { z } from 'zod';
import { migration } from '../packages/database/migration/migrate.ts';
import { json, key, ref } from '../packages/database/schema/table.ts';

export default migration('1795694400087-ticket-tags', async (m) => {
  await m.addColumn('ticket', 'tags', json(z.array(z.string())).nullable());
  await m.createTable('ticket_tag', { ticket_id: ref('ticket.ticket_id').primary(), tag: key(40).primary() }, [
    ['tag', 'ticket_id'],
  ]);
});
