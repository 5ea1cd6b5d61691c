// Adds teams of technicians, their absences, and the team of a ticket.
import { z } from 'zod';
import { migration } from '../packages/database/migration/migrate.ts';
import { choice, day, id, int, json, key, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1795732730304-teams', async (m) => {
  await m.createTable(
    'team',
    {
      team_id: id(),
      name: text(255),
      name_key: key().nullable().unique(),
      calendar_id: ref('level_calendar.calendar_id').nullable(),
      assignment: choice('off', 'round_robin', 'least_loaded', 'skill', 'sticky').default('off'),
      turn: int().default(0),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [
      ['name', 'team_id', 'deleted_at'],
      ['calendar_id', 'team_id'],
    ],
  );
  await m.createTable(
    'team_member',
    {
      member_id: id(),
      team_id: ref('team.team_id'),
      user_id: ref('technician.user_id'),
      skills: json(z.unknown()),
      turn: int().default(0),
      created_at: when(),
    },
    [
      ['team_id', 'member_id'],
      ['user_id', 'member_id'],
    ],
    { unique: [['team_id', 'user_id']] },
  );
  await m.createTable(
    'absence',
    {
      absence_id: id(),
      user_id: ref('technician.user_id'),
      first_day: day(),
      last_day: day(),
      note: text(255).default(''),
      created_at: when(),
    },
    [
      ['first_day', 'absence_id'],
      ['user_id', 'first_day', 'absence_id'],
      ['last_day', 'absence_id'],
    ],
  );
  await m.addColumn('ticket', 'team_id', int().nullable());
  await m.addIndex('ticket', ['team_id', 'status', 'created_at', 'ticket_id', 'deleted_at']);
});
