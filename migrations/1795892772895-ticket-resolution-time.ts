// Keeps with a closed ticket its time to resolution by its SLA, which the average counts (T-24). Tickets of the last 31
// days, all that the average looks at, are filled in, and the counter with them.
import { migration } from '../packages/database/migration/migrate.ts';
import { big } from '../packages/database/schema/table.ts';

const clock = `level_clock.ticket_id = ticket.ticket_id AND level_clock.kind = 'resolution'
  AND level_clock.met_at IS NOT NULL`;
const measured = 'ticket.deleted_at IS NULL AND ticket.target_met IS NOT NULL AND ticket.closed_at >=';
const since = {
  sqlite: "strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-31 days')",
  mysql: 'UTC_TIMESTAMP() - INTERVAL 31 DAY',
};
const opened = {
  sqlite: 'CAST(ROUND((julianday(ticket.closed_at) - julianday(ticket.created_at)) * 86400000) AS INTEGER)',
  mysql: 'TIMESTAMPDIFF(MICROSECOND, ticket.created_at, ticket.closed_at) DIV 1000',
};
const closingDay = { sqlite: 'substr(ticket.closed_at, 1, 10)', mysql: 'DATE(ticket.closed_at)' };

const difference = (dialect: 'sqlite' | 'mysql') =>
  `INSERT INTO ticket_open_time_delta (company_number, in_time, day, n)
    SELECT ticket.company_number, ticket.target_met, ${closingDay[dialect]}, level_clock.consumed_ms - ${opened[dialect]}
    FROM ticket JOIN level_clock ON ${clock} WHERE ${measured} ${since[dialect]}`;
const time = (dialect: 'sqlite' | 'mysql') =>
  `UPDATE ticket SET resolution_ms = (SELECT level_clock.consumed_ms FROM level_clock WHERE ${clock})
    WHERE ${measured} ${since[dialect]} AND ticket_id IN (SELECT level_clock.ticket_id FROM level_clock WHERE ${clock})`;

export default migration('1795892772895-ticket-resolution-time', async (m) => {
  await m.addColumn('ticket', 'resolution_ms', big().nullable());
  await m.statement({ sqlite: difference('sqlite'), mysql: difference('mysql') });
  await m.statement({ sqlite: time('sqlite'), mysql: time('mysql') });
});
