import { definePlugin, dependent } from '@keelson/core';
import { Absence } from './absences/entities.ts';
import consolePages from './console/pages.ts';
import events from './events.ts';
import fills from './fills.ts';
import hooks from './hooks.ts';
import live from './live.ts';
import { TeamMember } from './members/entities.ts';
import { ReadTeams, WriteTeams } from './permissions.ts';
import { RotaOverride } from './rota/entities.ts';
import rotaRoutes from './routes/admin/rota.ts';
import teamRoutes from './routes/admin/teams.ts';
import subscribers from './subscribers.ts';
import { Team } from './teams/entities.ts';

export default definePlugin({
  id: 'teams',
  title: 'Teams',
  requires: ['directory', 'levels', 'tickets'],
  entities: [Team, TeamMember, Absence, RotaOverride],
  dependents: [dependent(Team, 'calendar_id', 'teams')],
  permissions: [ReadTeams, WriteTeams],
  events,
  hooks,
  fills,
  routes: [...teamRoutes, ...rotaRoutes],
  console: consolePages,
  subscribers,
  live,
});
