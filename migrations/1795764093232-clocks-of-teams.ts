// Adds the team of the ticket to clocks.
import { migration } from '../packages/database/migration/migrate.ts';
import { int } from '../packages/database/schema/table.ts';

export default migration('1795764093232-clocks-of-teams', async (m) => {
  await m.addColumn('level_clock', 'team_id', int().nullable());
  await m.runner(async (runner) => {
    await runner.query(
      'UPDATE level_clock SET team_id = (SELECT team_id FROM ticket WHERE ticket.ticket_id = level_clock.ticket_id)',
    );
  });
});
