import { definePlugin, dependent } from '@keelson/core';
import { PunchItemAttachments } from './attachments.ts';
import {
  Milestone,
  MilestoneCount,
  MilestoneStep,
  Project,
  ProjectCount,
  ProjectPhase,
  PunchItem,
  PunchResponse,
} from './entities.ts';
import {
  MilestoneApproved,
  MilestoneInfoRequested,
  MilestoneRejected,
  MilestoneSubmitted,
  ProjectCompleted,
  PunchItemAnswered,
  PunchItemReady,
  PunchItemSubmitted,
} from './events.ts';
import live from './live.ts';
import { MilestoneApprovalMail, MilestoneDecidedMail, PunchItemMail, PunchItemReadyMail } from './mail-templates.ts';
import reports from './reports.ts';
import adminRoutes from './routes/admin.ts';
import helpdeskRoutes from './routes/helpdesk.ts';
import search from './search.ts';
import subscribers from './subscribers.ts';

export default definePlugin({
  id: 'projects',
  title: 'Projects',
  requires: ['directory', 'tickets'],
  perCompany: { default: true },
  entities: [Project, ProjectPhase, Milestone, MilestoneStep, PunchItem, PunchResponse],
  counters: [ProjectCount, MilestoneCount],
  dependents: [dependent(Project, 'company_number', 'projects')],
  attachments: [PunchItemAttachments],
  events: [
    ProjectCompleted,
    MilestoneSubmitted,
    MilestoneApproved,
    MilestoneRejected,
    MilestoneInfoRequested,
    PunchItemSubmitted,
    PunchItemReady,
    PunchItemAnswered,
  ],
  mailTemplates: [MilestoneApprovalMail, MilestoneDecidedMail, PunchItemMail, PunchItemReadyMail],
  routes: [...helpdeskRoutes, ...adminRoutes],
  reports,
  search,
  subscribers,
  live,
});
