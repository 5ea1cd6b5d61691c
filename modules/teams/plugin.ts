import { definePlugin, dependent } from '@keelson/core';
import { Absence } from './absences/entities.ts';
import consolePages from './console/pages.ts';
import { Escalation, EscalationStep } from './escalation/entities.ts';
import events from './events.ts';
import fills from './fills.ts';
import hooks from './hooks.ts';
import jobs from './jobs.ts';
import live from './live.ts';
import { EscalationMail } from './mail-templates.ts';
import { TeamMember } from './members/entities.ts';
import { ReadTeams, WriteTeams } from './permissions.ts';
import { RotaOverride } from './rota/entities.ts';
import escalationRoutes from './routes/admin/escalations.ts';
import rotaRoutes from './routes/admin/rota.ts';
import smsRoutes from './routes/admin/sms.ts';
import teamRoutes from './routes/admin/teams.ts';
import pageRoutes from './routes/pages.ts';
import { StoredGateway } from './settings.ts';
import subscribers from './subscribers.ts';
import { Team } from './teams/entities.ts';
import workflowActions from './workflow-actions.ts';

export default definePlugin({
  id: 'teams',
  title: 'Teams',
  description: 'Teams, absences, on-call rotas and escalations.',
  requires: ['accounts', 'directory', 'levels', 'system', 'tickets'],
  entities: [Team, TeamMember, Absence, RotaOverride, EscalationStep, Escalation],
  dependents: [dependent(Team, 'calendar_id', 'teams')],
  settings: [StoredGateway],
  permissions: [ReadTeams, WriteTeams],
  events,
  mailTemplates: [EscalationMail],
  jobs,
  hooks,
  fills,
  routes: [...teamRoutes, ...rotaRoutes, ...escalationRoutes, ...smsRoutes, ...pageRoutes],
  console: consolePages,
  subscribers,
  workflowActions,
  live,
});
