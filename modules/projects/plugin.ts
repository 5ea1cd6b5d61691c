import { definePlugin, dependent } from '@keelson/core';
import { PunchItemAttachments } from './attachments.ts';
import consolePages from './console/pages.ts';
import {
  Milestone,
  MilestoneCount,
  MilestoneStep,
  Project,
  ProjectPhase,
  PunchItem,
  PunchResponse,
} from './entities.ts';
import events from './events.ts';
import live from './live.ts';
import mailTemplates from './mail-templates.ts';
import portalPages from './portal/pages.ts';
import reports from './reports.ts';
import adminRoutes from './routes/admin.ts';
import helpdeskRoutes from './routes/helpdesk.ts';
import search from './search.ts';
import subscribers from './subscribers.ts';

export default definePlugin({
  id: 'projects',
  title: 'Projects',
  description: 'Projects with phases, milestones and punch lists.',
  requires: ['directory', 'tickets'],
  perCompany: { default: true },
  entities: [Project, ProjectPhase, Milestone, MilestoneStep, PunchItem, PunchResponse],
  counted: [MilestoneCount],
  dependents: [dependent(Project, 'company_number', 'projects')],
  attachments: [PunchItemAttachments],
  events,
  mailTemplates,
  console: consolePages,
  portal: portalPages,
  routes: [...helpdeskRoutes, ...adminRoutes],
  reports,
  search,
  subscribers,
  live,
});
