// Adds watchers of tickets.
import { migration } from '../packages/database/migration/migrate.ts';
import { choice, id, int, ref, when } from '../packages/database/schema/table.ts';

export default migration('1795694400088-ticket-watchers', async (m) => {
  await m.createTable(
    'ticket_watcher',
    {
      watcher_id: id(),
      ticket_id: ref('ticket.ticket_id'),
      kind: choice('contact', 'technician'),
      person_id: int(),
      created_at: when(),
    },
    [['kind', 'person_id', 'ticket_id']],
    { unique: [['ticket_id', 'kind', 'person_id']] },
  );
});
