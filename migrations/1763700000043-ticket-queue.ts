// Adds ticket queue data: waiting times and read marks of technicians. Also adds an index for tickets by status or
// without an assignee, in order of creation.
import { migration } from '../core/database/migrate.ts';
import { choice, id, int, when } from '../core/database/table.ts';

/** Side of the last public comment not by the system. */
const lastComment = `UPDATE ticket SET last_comment_by = (SELECT
    CASE author_type WHEN 'employee' THEN 'customer' ELSE 'technician' END FROM ticket_comment
    WHERE ticket_comment.ticket_id = ticket.ticket_id AND is_internal = 0 AND author_type <> 'system'
    ORDER BY created_at DESC, comment_id DESC LIMIT 1)
  WHERE ticket_id IN (SELECT ticket_id FROM ticket_comment)`;

const answers = `FROM ticket_comment AS answer WHERE answer.ticket_id = ticket.ticket_id AND answer.is_internal = 0
  AND answer.author_type NOT IN ('employee', 'system')`;

/**
 * Creation time of a portal ticket without a reply, or else the customer's first public comment since the last reply.
 */
const waiting = `UPDATE ticket SET waiting_since =
  CASE WHEN source = 'portal' AND NOT EXISTS (SELECT 1 ${answers}) THEN created_at
  ELSE (SELECT MIN(said.created_at) FROM ticket_comment AS said
    WHERE said.ticket_id = ticket.ticket_id AND said.is_internal = 0 AND said.author_type = 'employee'
      AND said.comment_id > COALESCE((SELECT MAX(answer.comment_id) ${answers}), 0)) END
  WHERE status <> 'closed' AND (last_comment_by = 'customer' OR (last_comment_by IS NULL AND source = 'portal'))`;

export default migration('1763700000043-ticket-queue', async (m) => {
  await m.addColumn('ticket', 'waiting_since', when().nullable());
  await m.addColumn('ticket', 'last_comment_by', choice('customer', 'technician').nullable());
  await m.statement({ sqlite: lastComment, mysql: lastComment });
  await m.statement({ sqlite: waiting, mysql: waiting });
  await m.addIndex('ticket', ['created_at', 'ticket_id', 'status', 'assigned_to', 'deleted_at']);
  await m.dropIndex('ticket', ['created_at', 'ticket_id', 'deleted_at']);
  await m.createTable(
    'ticket_read',
    { read_id: id(), user_id: int(), ticket_id: int(), seen_at: when() },
    [['seen_at']],
    { unique: [['user_id', 'ticket_id']] },
  );
});
