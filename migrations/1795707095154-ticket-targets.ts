// Keeps with a ticket when its next service level target is due, so that lists are sorted by time left on an index.
import { migration } from '../packages/database/migration/migrate.ts';
import { big } from '../packages/database/schema/table.ts';

const running = 'FROM level_clock WHERE level_clock.met_at IS NULL AND level_clock.due_at IS NOT NULL';
const first = `${running} AND level_clock.ticket_id = ticket.ticket_id`;
const update = (milliseconds: string) =>
  `UPDATE ticket SET target_due = (SELECT MIN(${milliseconds}) ${first})
    WHERE ticket_id IN (SELECT level_clock.ticket_id ${running})`;

export default migration('1795707095154-ticket-targets', async (m) => {
  await m.addColumn('ticket', 'target_due', big().default(8_640_000_000_000_000));
  await m.statement({
    sqlite: update('CAST(ROUND((julianday(level_clock.due_at) - 2440587.5) * 86400000) AS INTEGER)'),
    mysql: update("TIMESTAMPDIFF(MICROSECOND, '1970-01-01', level_clock.due_at) DIV 1000"),
  });
  await m.addIndex('ticket', ['target_due', 'ticket_id', 'status', 'deleted_at']);
});
