// Adds on-call rotas of teams.
import { migration } from '../packages/database/migration/migrate.ts';
import { day, id, int, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1795735217846-teams-rota', async (m) => {
  await m.addColumn('team', 'rota_from', day().nullable());
  await m.addColumn('team', 'handover_time', text(5).default('09:00'));
  await m.addColumn('team_member', 'rota_position', int().nullable());
  await m.createTable(
    'rota_override',
    {
      override_id: id(),
      team_id: ref('team.team_id'),
      user_id: ref('technician.user_id'),
      starts_at: when(),
      ends_at: when(),
      note: text(255).default(''),
      created_at: when(),
    },
    [
      ['starts_at', 'override_id'],
      ['team_id', 'starts_at', 'override_id'],
    ],
  );
});
