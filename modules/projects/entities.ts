import { big, choice, counted, day, id, int, ref, statistic, table, text, when, type Row } from '@keelson/core';
import { Company, Employee, Technician } from '@keelson/modules/directory';

export const projectStatuses = ['planning', 'active', 'on_hold', 'completed', 'cancelled'] as const;
export const phaseStatuses = ['pending', 'active', 'completed'] as const;
export const milestoneStatuses = ['pending', 'pending_approval', 'approved', 'rejected', 'info_requested'] as const;
export const milestoneSteps = ['submitted', 'answered', 'approved', 'rejected', 'info_requested'] as const;
export const itemPriorities = ['low', 'medium', 'high'] as const;
export const itemStatuses = ['open', 'in_progress', 'ready_for_review', 'closed'] as const;

/** Project of a company (F-37). */
export const Project = table(
  'project',
  {
    project_id: id(),
    company_number: ref(Company),
    name: text(255),
    description: text().default(''),
    status: choice(...projectStatuses).default('planning'),
    /** Technician notified of decisions; shown by name as `project_manager` in responses. */
    project_manager_id: ref(Technician).nullable(),
    start_date: day().nullable(),
    due_date: day().nullable(),
    completed_at: day().nullable(),
    /** Internal to the provider; never shown to customers. */
    notes: text().default(''),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [
    ['company_number', 'status', 'created_at', 'project_id', 'deleted_at'],
    ['company_number', 'created_at', 'project_id', 'deleted_at'],
    ['status', 'created_at', 'project_id', 'deleted_at'],
    ['created_at', 'project_id', 'deleted_at'],
  ],
);
export type Project = Row<typeof Project>;

/** Phase that groups milestones (F-38). */
export const ProjectPhase = table(
  'project_phase',
  {
    phase_id: id(),
    project_id: ref(Project),
    /** The project's company. */
    company_number: int().default(0).hidden(),
    name: text(255),
    description: text().default(''),
    sort_order: int().default(0),
    status: choice(...phaseStatuses).default('pending'),
    start_date: day().nullable(),
    due_date: day().nullable(),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [['project_id', 'sort_order', 'phase_id']],
);
export type ProjectPhase = Row<typeof ProjectPhase>;

/** Milestone that the customer signs off (F-39). */
export const Milestone = table(
  'milestone',
  {
    milestone_id: id(),
    project_id: ref(Project),
    company_number: ref(Company),
    phase_id: ref(ProjectPhase).nullable(),
    name: text(255),
    description: text().default(''),
    due_date: day().nullable(),
    status: choice(...milestoneStatuses).default('pending'),
    /** In minor units (V-08); shown as `amount` in responses. */
    amount_minor: big().nullable(),
    notes: text().default(''),
    requested_at: when().nullable(),
    decided_at: when().nullable(),
    decided_by: text(255).nullable(),
    rejection_reason: text().nullable(),
    info_request: text().nullable(),
    /** Due date until approved. */
    awaited_on: day().nullable().hidden(),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [
    ['project_id', 'milestone_id', 'deleted_at'],
    ['project_id', 'awaited_on', 'deleted_at'],
    ['company_number', 'status', 'requested_at', 'milestone_id', 'deleted_at'],
    ['company_number', 'milestone_id', 'deleted_at'],
    ['phase_id', 'milestone_id'],
  ],
);
export type Milestone = Row<typeof Milestone>;

export const MilestoneCount = counted({
  of: Milestone,
  dimensions: ['project_id', 'status'],
  statistics: [statistic(Project, 'milestones'), statistic(Project, 'approved_milestones', { status: 'approved' })],
});

/** Approval trail of a milestone: action, author, time and comment. */
export const MilestoneStep = table(
  'milestone_step',
  {
    step_id: id(),
    milestone_id: ref(Milestone),
    action: choice(...milestoneSteps),
    comment: text().default(''),
    author_name: text(255),
    created_at: when(),
  },
  [['milestone_id', 'step_id']],
);
export type MilestoneStep = Row<typeof MilestoneStep>;

/** Defect or omission reported by a customer (F-40). */
export const PunchItem = table(
  'punch_item',
  {
    item_id: id(),
    project_id: ref(Project),
    company_number: ref(Company),
    title: text(255),
    description: text(),
    location: text(255).default(''),
    priority: choice(...itemPriorities).default('medium'),
    status: choice(...itemStatuses).default('open'),
    submitted_by: text(255),
    /** Employee asked to review the finished item. */
    submitter_number: ref(Employee).nullable().hidden(),
    assigned_to: text(255).nullable(),
    feedback: text().nullable(),
    /** Characters in the description and responses, which are limited per project. */
    characters: int().hidden(),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [
    ['project_id', 'item_id', 'deleted_at'],
    ['project_id', 'status', 'item_id', 'deleted_at'],
    ['company_number', 'item_id', 'deleted_at'],
  ],
);
export type PunchItem = Row<typeof PunchItem>;

export const PunchResponse = table(
  'punch_response',
  {
    response_id: id(),
    item_id: ref(PunchItem),
    response: text(),
    author_name: text(255),
    created_at: when(),
  },
  [['item_id', 'response_id']],
);
export type PunchResponse = Row<typeof PunchResponse>;
