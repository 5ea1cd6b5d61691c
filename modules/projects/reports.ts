// Report sources beyond Q-01: projects and milestones on both surfaces.
import { reportSource, signedIn } from '@keelson/core';
import { amountsAccess } from '@keelson/core/surfaces';
import { ReadTickets } from '@keelson/modules/tickets';
import { MilestoneItem, PortalMilestone } from './milestones/milestone-list.ts';
import { PortalProject, ProjectItem } from './projects/project-list.ts';

const company = { company_number: 'Company number', company_name: 'Company' } as const;

const projectFields = {
  project_id: 'Project ID',
  name: 'Name',
  description: 'Description',
  status: 'Status',
  project_manager: 'Project manager',
  start_date: 'Start',
  due_date: 'Due',
  completed_at: 'Completed',
  progress_percent: 'Progress (%)',
  overdue_milestones: 'Overdue milestones',
  created_at: 'Created',
  updated_at: 'Updated',
} as const;

const milestoneFields = {
  milestone_id: 'Milestone ID',
  project_id: 'Project ID',
  project_name: 'Project',
  name: 'Name',
  description: 'Description',
  status: 'Status',
  due_date: 'Due',
  overdue: 'Overdue',
  amount: { label: 'Amount', type: 'money', column: 'amount_minor', access: amountsAccess },
  currency: 'Currency',
  requested_at: 'Submitted',
  decided_at: 'Decided',
  decided_by: 'Decided by',
  rejection_reason: 'Rejection reason',
  created_at: 'Created',
  updated_at: 'Updated',
} as const;

export default [
  reportSource('admin', 'projects', {
    title: 'Projects',
    access: ReadTickets,
    view: ProjectItem,
    fields: { ...projectFields, ...company, notes: 'Notes' },
  }),
  reportSource('helpdesk', 'projects', {
    title: 'Projects',
    access: signedIn,
    view: PortalProject,
    fields: projectFields,
  }),
  reportSource('admin', 'milestones', {
    title: 'Milestones',
    access: ReadTickets,
    view: MilestoneItem,
    fields: { ...milestoneFields, ...company, notes: 'Notes' },
  }),
  reportSource('helpdesk', 'milestones', {
    title: 'Milestones',
    access: signedIn,
    view: PortalMilestone,
    fields: milestoneFields,
  }),
];
