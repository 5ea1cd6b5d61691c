import { definePlugin } from '@keelson/core';
import consolePages from './console/pages.ts';
import { Workflow, WorkflowRun } from './entities.ts';
import { WorkflowDue } from './events.ts';
import jobs from './jobs.ts';
import live from './live.ts';
import { WorkflowMail } from './mail-templates.ts';
import adminRoutes from './routes/admin.ts';
import { receivers } from './runs/receivers.ts';
import subscribers from './subscribers.ts';

export default definePlugin({
  id: 'workflows',
  title: 'Workflows',
  description: 'Automation: what happens when, and its runs.',
  requires: ['directory', 'system', 'tickets', 'webhooks'],
  entities: [Workflow, WorkflowRun],
  events: [WorkflowDue],
  mailTemplates: [WorkflowMail],
  console: consolePages,
  routes: adminRoutes,
  receivers,
  subscribers,
  jobs,
  live,
});
