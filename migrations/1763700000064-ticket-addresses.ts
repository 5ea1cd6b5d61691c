// Uses the ticket number in ticket URLs; rewrites the old URL in edited mail templates.
import { migration } from '../core/database/migrate.ts';

const before = '/helpdesk/tickets/{{';
const changed = `UPDATE email_template SET body = REPLACE(REPLACE(body,
  '${before} ticket_id }}', '${before} ticket_number }}'), '${before}ticket_id}}', '${before}ticket_number}}')
  WHERE body IS NOT NULL`;

export default migration('1763700000064-ticket-addresses', async (m) => {
  await m.statement({ sqlite: changed, mysql: changed });
});
