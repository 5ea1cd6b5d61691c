// Adds escalation chains of teams.
import { migration } from '../packages/database/migration/migrate.ts';
import { choice, flag, id, int, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1795735859038-teams-escalation', async (m) => {
  await m.addColumn('team', 'escalate_warned', flag().default(false));
  await m.addColumn('team', 'escalate_breached', flag().default(false));
  await m.addColumn('team', 'escalate_priority', int().nullable());
  await m.addColumn('team', 'quiet_hours', flag().default(false));
  await m.addColumn('team', 'channel', choice('slack', 'teams').default('slack'));
  await m.addColumn('team', 'channel_url', text(4096).nullable());
  await m.createTable(
    'escalation_step',
    {
      step_id: id(),
      team_id: ref('team.team_id'),
      after_minutes: int(),
      notify: choice('on_call', 'technician', 'team'),
      user_id: ref('technician.user_id').nullable(),
      by_mail: flag().default(true),
      to_channel: flag().default(false),
      created_at: when(),
    },
    [
      ['after_minutes', 'step_id'],
      ['team_id', 'after_minutes', 'step_id'],
    ],
  );
  await m.createTable(
    'escalation',
    {
      escalation_id: id(),
      team_id: ref('team.team_id'),
      ticket_id: ref('ticket.ticket_id'),
      cause: choice('sla_warned', 'sla_breached', 'priority'),
      open_ticket: int().nullable().unique(),
      started_at: when(),
      next_at: when().nullable(),
      last_minutes: int().default(-1),
      last_step: int().default(0),
      acknowledged_at: when().nullable(),
      acknowledged_by: ref('technician.user_id').nullable(),
      ended_at: when().nullable(),
    },
    [
      ['next_at', 'escalation_id'],
      ['started_at', 'escalation_id'],
      ['team_id', 'started_at', 'escalation_id'],
      ['ticket_id', 'started_at', 'escalation_id'],
    ],
  );
});
