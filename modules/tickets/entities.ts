import {
  big,
  choice,
  counterTable,
  day,
  statistic,
  flag,
  id,
  int,
  json,
  key,
  ref,
  table,
  text,
  when,
  z,
  type Row,
} from '@keelson/core';
import { Company, Employee, Site, Technician } from '@keelson/modules/directory';
import { inTime, openFor } from './figures/resolution.ts';

export const statuses = ['open', 'in_progress', 'on_hold', 'closed'] as const;
export type Status = (typeof statuses)[number];
/** What priorities mean to people. */
export const priorityLabels: Readonly<Record<number, string>> = {
  1: 'Critical',
  2: 'High',
  3: 'Normal',
  4: 'Low',
  5: 'Planning',
};
/** Every status except closed. */
export const openStatuses = ['open', 'in_progress', 'on_hold'] as const;

export const approvals = ['none', 'pending', 'approved', 'rejected'] as const;

/** Where a ticket came from (F-24). */
export const sources = ['portal', 'admin', 'chat', 'widget', 'workflow', 'restore', 'mail', 'schedule'] as const;
export type Source = (typeof sources)[number];

/** Sides of a conversation: the customer's people, or the provider's staff and integrations. */
export const sides = ['customer', 'technician'] as const;
export type Side = (typeof sides)[number];

/** The latest possible time: tickets without a running target sort after all others. */
export const NO_TARGET = 8_640_000_000_000_000;

// Lists are read in index order. Each index ends with `ticket_id` and `deleted_at` so that ties are sorted and deleted
// rows skipped without reading the table.
export const Ticket = table(
  'ticket',
  {
    ticket_id: id(),
    /** Public number. Assigned by the allocator, so gaps are possible. */
    ticket_number: int().unique(),
    subject: text(255),
    description: text().default(''),
    status: choice(...statuses).default('open'),
    priority: int().default(3),
    job_type: text(255),
    company_number: ref(Company),
    site_number: ref(Site).nullable(),
    requester_employee_number: ref(Employee).nullable(),
    assigned_to: ref(Technician).nullable(),
    /** The responsible team, from the teams module (teams.ts); only visible to the provider's staff. */
    team_id: int().nullable(),
    /** The parent ticket (parents.ts). Not a foreign key, because checking it would lock the parent. */
    parent_id: int().nullable(),
    approval_status: choice(...approvals).default('none'),
    /** Due date; only visible to the provider's staff. */
    due_date: day().nullable(),
    /** Start date; only visible to the provider's staff. */
    start_date: day().nullable(),
    /** Estimated duration; only visible to the provider's staff. */
    estimate_minutes: int().nullable(),
    /** Lowercase, in alphabetical order; null for none; only visible to the provider's staff. */
    tags: json(z.array(z.string())).nullable(),
    source: choice(...sources),
    created_at: when(),
    updated_at: when(),
    closed_at: when().nullable(),
    /** Since when the customer has been waiting for the provider's reply (T-27); null when not waiting. */
    waiting_since: when().nullable(),
    /** Side of the last public comment. */
    last_comment_by: choice(...sides).nullable(),
    /** Whether it was resolved within its SLA, or is already too late (outcome.ts); null without one, or if it may be. */
    target_met: flag().nullable().hidden(),
    /** Working milliseconds to its resolution by its SLA (outcome.ts); null without one, or while it is open. */
    resolution_ms: big().nullable().hidden(),
    /** When the next SLA target is due (outcome.ts), in milliseconds since 1970. */
    target_due: big().default(NO_TARGET).hidden(),
    deleted_at: when().nullable().hidden(),
  },
  [
    ['company_number', 'status', 'created_at', 'ticket_id', 'deleted_at'],
    ['company_number', 'created_at', 'ticket_id', 'deleted_at'],
    ['status', 'created_at', 'ticket_id', 'deleted_at'],
    ['status', 'ticket_id', 'deleted_at'],
    ['ticket_id', 'status', 'deleted_at'],
    ['created_at', 'ticket_id', 'status', 'assigned_to', 'deleted_at'],
    ['assigned_to', 'status', 'created_at', 'ticket_id', 'deleted_at'],
    ['team_id', 'status', 'created_at', 'ticket_id', 'deleted_at'],
    ['parent_id', 'ticket_id', 'status', 'deleted_at'],
    ['site_number', 'created_at', 'ticket_id', 'deleted_at'],
    ['requester_employee_number', 'created_at', 'ticket_id', 'deleted_at'],
    ['requester_employee_number', 'closed_at', 'ticket_id', 'deleted_at'],
    ['updated_at', 'ticket_id', 'status', 'deleted_at'],
    ['closed_at', 'ticket_id', 'status', 'deleted_at'],
    ['due_date', 'ticket_id', 'status', 'deleted_at'],
    ['target_due', 'ticket_id', 'status', 'deleted_at'],
    ['status', 'closed_at', 'ticket_id', 'deleted_at'],
    ['priority', 'created_at', 'ticket_id', 'status', 'deleted_at'],
    ['job_type', 'created_at', 'ticket_id', 'status', 'deleted_at'],
    ['subject', 'ticket_id', 'status', 'deleted_at'],
  ],
);
export type Ticket = Row<typeof Ticket>;

/** Tickets by company, status, priority and day. Totals and deep pages cost the same at any table size. */
export const TicketCount = counterTable('ticket_count', {
  of: Ticket,
  dimensions: ['company_number', 'status', 'priority'],
  day: 'created_at',
  statistics: [statistic(Company, 'open_tickets', { status: openStatuses }), statistic(Company, 'total_tickets')],
});

/** Tickets by technician. */
export const AssigneeCount = counterTable('ticket_assignee_count', {
  of: Ticket,
  dimensions: ['assigned_to', 'status'],
  statistics: [statistic(Technician, 'open_tickets', { status: openStatuses })],
});

/** Tickets by job type and day. */
export const JobTypeCount = counterTable('ticket_job_type_count', {
  of: Ticket,
  dimensions: ['job_type', 'status'],
  day: 'created_at',
});

/** Tickets by requester. */
export const RequesterCount = counterTable('ticket_requester_count', {
  of: Ticket,
  dimensions: ['requester_employee_number', 'status', 'priority'],
  statistics: [statistic(Employee, 'open_tickets', { status: openStatuses })],
});

/** Tickets pending approval, by requester. */
export const PendingCount = counterTable('ticket_pending_count', {
  of: Ticket,
  dimensions: ['company_number', 'requester_employee_number'],
  only: { approval_status: 'pending' },
});

const closings = {
  of: Ticket,
  dimensions: ['company_number', 'in_time'],
  day: 'closed_at',
  daysOfEach: true,
  computed: { in_time: inTime, open_ms: openFor },
} as const;

/** Closed tickets by closing day and whether closed within target (T-24). */
export const ClosedCount = counterTable('ticket_closed_count', closings);
/** Time to resolution, in milliseconds. */
export const OpenTime = counterTable('ticket_open_time', { ...closings, sum: 'open_ms' });

export const TicketComment = table(
  'ticket_comment',
  {
    comment_id: id(),
    ticket_id: ref(Ticket),
    comment: text(),
    author_type: choice('technician', 'employee', 'api', 'system', 'assistant'),
    author_id: int().nullable(),
    author_name: text(255),
    is_internal: flag().default(false),
    created_at: when(),
    /** When the author last edited the note (T-33). */
    edited_at: when().nullable(),
  },
  [['ticket_id', 'created_at', 'comment_id']],
);
export type TicketComment = Row<typeof TicketComment>;

export const TicketTimeEntry = table(
  'ticket_time_entry',
  {
    time_entry_id: id(),
    ticket_id: ref(Ticket),
    /** Null for time logged by an integration; `user_name` is then its name. */
    user_id: ref(Technician).nullable(),
    user_name: text(255),
    duration_minutes: int(),
    description: text().default(''),
    billable: flag().default(true),
    work_date: day(),
    created_at: when(),
    /** The ticket's company; used for billing. */
    company_number: int().default(0).hidden(),
    /** For a correction, the billed entry it corrects. Its minutes are the difference, which may be negative. */
    corrects_id: int().nullable(),
  },
  [
    ['ticket_id', 'created_at', 'time_entry_id'],
    ['user_id'],
    ['work_date', 'user_id', 'duration_minutes'],
    ['company_number', 'work_date', 'time_entry_id'],
    ['corrects_id'],
  ],
);
export type TicketTimeEntry = Row<typeof TicketTimeEntry>;

/** Tags by ticket, for the list filter (T-39). */
export const TicketTag = table('ticket_tag', { ticket_id: ref(Ticket).primary(), tag: key(40).primary() }, [
  ['tag', 'ticket_id'],
]);

/** People who follow a ticket (T-40). No foreign key to the person: it is a contact or a technician. */
export const TicketWatcher = table(
  'ticket_watcher',
  {
    watcher_id: id(),
    ticket_id: ref(Ticket),
    kind: choice('contact', 'technician'),
    /** A contact's `employee_number` or a technician's `user_id`. */
    person_id: int(),
    created_at: when(),
  },
  [['kind', 'person_id', 'ticket_id']],
  { unique: [['ticket_id', 'kind', 'person_id']] },
);
export type TicketWatcher = Row<typeof TicketWatcher>;

/** Assets linked to a ticket (T-10), in order of linking. */
export const TicketAsset = table(
  'ticket_asset',
  { ticket_id: ref(Ticket).primary(), asset_id: int().primary(), created_at: when() },
  [['asset_id', 'ticket_id']],
);

/**
 * Read marks of technicians (T-28): the ticket's `updated_at` when they last viewed it. No foreign keys, because
 * checking them would lock the ticket.
 */
export const TicketRead = table(
  'ticket_read',
  { read_id: id(), user_id: int(), ticket_id: int(), seen_at: when() },
  [['seen_at']],
  { unique: [['user_id', 'ticket_id']] },
);

/** Merged tickets (T-31). The target is not itself merged. */
export const TicketMerge = table('ticket_merge', { ticket_id: int().primary(), into_id: int(), merged_at: when() }, [
  ['into_id'],
]);

/** Outgoing mails by ticket, so that replies can be matched. */
export const TicketMail = table(
  'ticket_mail',
  { mail_id: key(40).primary(), ticket_id: ref(Ticket), created_at: when() },
  [['ticket_id', 'created_at']],
);

export default [
  Ticket,
  TicketComment,
  TicketTimeEntry,
  TicketAsset,
  TicketTag,
  TicketWatcher,
  TicketMerge,
  TicketRead,
  TicketMail,
];
