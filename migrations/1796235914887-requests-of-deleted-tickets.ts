// Rejects open restore requests whose ticket has been deleted, or merged into one that has.
import { migration } from '../packages/database/migration/migrate.ts';

export default migration('1796235914887-requests-of-deleted-tickets', async (m) => {
  await m.runner(async (runner) => {
    await runner.query(`UPDATE restore_request SET status = 'rejected' WHERE status IN ('pending', 'in_progress')
      AND COALESCE((SELECT ticket_merge.into_id FROM ticket_merge WHERE ticket_merge.ticket_id = restore_request.ticket_id),
        restore_request.ticket_id) IN (SELECT ticket.ticket_id FROM ticket WHERE ticket.deleted_at IS NOT NULL)`);
  });
});
