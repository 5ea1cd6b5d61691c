// Filters, sorts and views of tickets, comments and time entries.
import {
  by,
  invalid,
  is,
  noun,
  param,
  searched,
  sql,
  toDatabase,
  today,
  view,
  z,
  addDays,
  type Context,
  type OutOf,
  type Timestamp,
} from '@keelson/core';
import { byOther, type Filter } from '@keelson/core/list';
import type { MembersOf } from '@keelson/core/record';
import { Company, CompanyNames, EmployeeNames, SiteNames, TechnicianNames } from '@keelson/modules/directory';
import { findUnread } from '../comments/read-marks.ts';
import {
  AssigneeCount,
  JobTypeCount,
  NO_TARGET,
  openStatuses,
  statuses,
  Ticket,
  TicketComment,
  TicketCount,
  TicketTimeEntry,
} from '../entities.ts';
import { readTeamNames } from '../people/teams.ts';
import { readBilled } from '../time-entries.ts';
import { resolveJobType } from './job-types.ts';
import { numberOf } from './numbers.ts';
import { tagOf } from './tags.ts';

/** Values of the `due` filter (T-38). */
const dueTimes = ['overdue', 'today', 'week', 'set', 'none'] as const;

/** Values of the `time_left` filter (T-41), with the hours left until the target. */
const timesLeft = { overdue: 0, hour: 1, four_hours: 4, day: 24 } as const;
const timesLeftValues = ['overdue', 'hour', 'four_hours', 'day', 'set', 'none'] as const;

// Read-only: events carry these views, and the record (tickets.ts) imports the events.
export const TicketNoun = noun(Ticket, {
  title: 'Ticket',
  counters: [TicketCount, AssigneeCount, JobTypeCount],
  filters: (its) => ({
    status: its.by(param.choice([...statuses, 'unresolved'], { all: true }), (_ctx, status) =>
      is('status', status === 'unresolved' ? openStatuses : status),
    ),
    priority: its.is('priority', param.int(1, 5)),
    company_number: its.is('company_number'),
    site_number: its.is('site_number'),
    employee_number: its.is('requester_employee_number'),
    assigned_to: its.by(param.idOr('none', 'me'), (ctx, asked) => is('assigned_to', assigneeIn(ctx, asked))),
    team_id: its.by(param.idOr('none'), (_ctx, asked) => is('team_id', asked === 'none' ? null : asked)),
    parent_id: its.by(param.idOr('none'), (_ctx, asked) => is('parent_id', asked === 'none' ? null : asked)),
    job_type: its.by(param.text(), async (ctx, text) => is('job_type', (await resolveJobType(ctx, text)).name)),
    search: searched(Ticket),
    created_after: its.since('created_at'),
    created_before: its.until('created_at'),
    due: its.by(param.choice(dueTimes), dueWithin),
    time_left: its.by(param.choice(timesLeftValues), ({ now }, left) => {
      if (left === 'none') return is('target_due', NO_TARGET);
      if (left === 'set') return sql`ticket.target_due < ${NO_TARGET}`;
      // As a subquery, because SQLite would otherwise look up every open ticket instead of reading the few entries of
      // this index.
      const due = Date.parse(now) + timesLeft[left] * 3_600_000;
      return sql`ticket.ticket_id IN (SELECT soon.ticket_id FROM ticket soon WHERE soon.target_due <= ${due})`;
    }),
    due_after: its.by(param.day(), (_ctx, day) => sql`ticket.due_date >= ${day}`),
    due_before: its.by(param.day(), (_ctx, day) => sql`ticket.due_date <= ${day}`),
    tag: its.by(
      param.text(40),
      (_ctx, tag) => sql`ticket.ticket_id IN (SELECT ticket_id FROM ticket_tag WHERE tag = ${tagOf(tag)})`,
    ),
    watched_by: its.by(param.idOr('me'), (ctx, asked) => {
      const watched = sql`SELECT ticket_id FROM ticket_watcher WHERE kind = 'technician' AND person_id = ${personIn(ctx, asked, 'watched_by')}`;
      return sql`ticket.ticket_id IN (${watched})`;
    }),
    updated_after: its.by(param.dayOrTime('from'), changedSince),
    asset_id: its.by(
      param.id(),
      (_ctx, id) => sql`ticket.ticket_id IN (SELECT ticket_id FROM ticket_asset WHERE asset_id = ${id})`,
    ),
  }),
  sorts: {
    created_at: by('created_at'),
    updated_at: by('updated_at'),
    closed_at: by('closed_at'),
    due_date: by('due_date'),
    time_left: by('target_due'),
    ticket_id: by('ticket_id'),
    // Ids and numbers have the same order (create.ts).
    ticket_number: by('ticket_id'),
    subject: by('subject'),
    status: by('status', 'created_at'),
    priority: by('priority', 'created_at'),
    job_type: by('job_type', 'created_at'),
    company_name: byOther({ via: 'company_number', table: Company, column: 'customer' }, 'created_at'),
    assigned_to: by('assigned_to', 'status', 'created_at'),
  },
});

/** Maximum ids fetched by primary key. */
const FEW = 2000;

/**
 * Filters tickets changed since `at`. When few, they are found through the `updated_at` index and sorted; when many,
 * scanning in list order soon finds enough of them.
 */
async function changedSince({ db }: Context, at: Timestamp): Promise<Filter> {
  const since = sql`ticket.updated_at >= ${toDatabase(at)}`;
  const rows = await db.query<{ ticket_id: number }>(
    sql`SELECT ticket.ticket_id FROM ticket WHERE ${since} AND ticket.deleted_at IS NULL LIMIT ${FEW + 1}`,
  );
  if (rows.length > FEW) return since;
  return is(
    'ticket_id',
    rows.map(({ ticket_id }) => Number(ticket_id)),
  );
}

/** Resolves the `due` filter. Closed tickets are not overdue; `week` is today and the next six days. */
function dueWithin(ctx: Context, due: (typeof dueTimes)[number]): Filter {
  const day = today(ctx);
  switch (due) {
    case 'overdue':
      return sql`ticket.due_date < ${day} AND ticket.status <> 'closed'`;
    case 'today':
      return is('due_date', day);
    case 'week':
      return sql`ticket.due_date BETWEEN ${day} AND ${addDays(day, 6)}`;
    case 'set':
      return sql`ticket.due_date IS NOT NULL`;
    case 'none':
      return is('due_date', null);
  }
}

/** Resolves the `assigned_to` filter. @throws invalid() for `me` with an API key, which has no tickets of its own */
function assigneeIn(ctx: Context, asked: number | 'none' | 'me'): number | null {
  return asked === 'none' ? null : personIn(ctx, asked, 'assigned_to');
}

function personIn({ author }: Context, asked: number | 'me', field: string): number {
  if (asked !== 'me') return asked;
  if (author.type !== 'technician' || author.id === null) throw invalid(`${field}=me requires a technician session`);
  return author.id;
}

const tagsOf = (its: MembersOf<typeof Ticket>) => its.from(z.array(z.string()), ['tags'], ({ tags }) => tags ?? []);

/** Ticket in technicians' lists and in events (EV-13, M-04). */
export const TicketItem = view(TicketNoun, {
  except: ['requester_employee_number', 'source', 'waiting_since', 'last_comment_by', 'tags'],
  more: (its) => ({
    tags: tagsOf(its),
    company_name: its.name(CompanyNames, 'company_number'),
    site_name: its.name(SiteNames, 'site_number'),
    assigned_name: its.name(TechnicianNames, 'assigned_to'),
  }),
});
export type TicketItem = OutOf<typeof TicketItem>;

const teamNameOf = (its: MembersOf<typeof Ticket>) => its.lookup(z.string().nullable(), 'team_id', readTeamNames, null);

const parentNumberOf = (its: MembersOf<typeof Ticket>) =>
  its.from(z.int().nullable(), ['parent_id'], ({ parent_id }) => (parent_id === null ? null : numberOf(parent_id)));

const inQueue = (its: MembersOf<typeof Ticket>) => ({
  tags: tagsOf(its),
  company_name: its.name(CompanyNames, 'company_number'),
  site_name: its.name(SiteNames, 'site_number'),
  assigned_name: its.name(TechnicianNames, 'assigned_to'),
  team_name: teamNameOf(its),
  parent_number: parentNumberOf(its),
  requester_name: its.name(EmployeeNames, 'requester_employee_number'),
  unread: its.lookup(z.boolean(), 'ticket_id', findUnread, false),
});

/** Ticket with the extra columns of a queue (T-27, T-28). */
export const QueuedTicket = view(TicketNoun, {
  except: ['requester_employee_number', 'source', 'tags'],
  more: inQueue,
});

/** Omits the description, which makes up most of a list's bytes. */
export const BriefTicket = view(TicketNoun, {
  except: ['requester_employee_number', 'source', 'description', 'tags'],
  more: inQueue,
});

/** Row of the queue; `brief` omits the description. */
export const TicketRow = {
  shape: QueuedTicket.shape.partial({ description: true }),
  answer: QueuedTicket.answer,
} as const;

/** Ticket with all columns and names, for detail pages and exports. */
export const FullTicket = view(TicketNoun, {
  except: ['tags'],
  more: (its) => ({
    tags: tagsOf(its),
    company_name: its.name(CompanyNames, 'company_number'),
    site_name: its.name(SiteNames, 'site_number'),
    assigned_name: its.name(TechnicianNames, 'assigned_to'),
    team_name: teamNameOf(its),
    parent_number: parentNumberOf(its),
    requester_name: its.name(EmployeeNames, 'requester_employee_number'),
  }),
});

/** Ticket columns visible to customers. */
export const customersColumns = [
  'ticket_id',
  'ticket_number',
  'subject',
  'description',
  'status',
  'priority',
  'job_type',
  'approval_status',
  'created_at',
  'updated_at',
  'closed_at',
] as const;

/** Ticket as customers see it (F-25). Visibility rules: visible.ts. */
export const PortalTicket = view(TicketNoun, {
  only: customersColumns,
  more: (its) => ({
    assigned_tech: its.column('assigned_to'),
    assigned_tech_name: its.name(TechnicianNames, 'assigned_to'),
    requester_name: its.name(EmployeeNames, 'requester_employee_number'),
    requires_approval: its.from(z.boolean(), ['approval_status'], (ticket) => ticket.approval_status === 'pending'),
  }),
});

const Comments = noun(TicketComment, {
  title: 'Comment',
  filters: (its) => ({ ticket_id: its.is('ticket_id') }),
  sorts: { created_at: by('created_at') },
  order: 'asc',
});
export const CommentItem = view(Comments, { except: ['ticket_id', 'author_id'] });
export const PortalComment = view(Comments, {
  only: ['comment_id', 'comment', 'author_name', 'is_internal', 'created_at'],
});

/** New comment with its ticket; for a merged ticket, the surviving one (T-16). */
export const NewComment = view(Comments, { except: ['author_id'] });
export const NewPortalComment = view(Comments, {
  only: ['comment_id', 'ticket_id', 'comment', 'author_name', 'is_internal', 'created_at'],
});

const TimeEntries = noun(TicketTimeEntry, {
  title: 'Time entry',
  filters: (its) => ({ ticket_id: its.is('ticket_id') }),
  sorts: { created_at: by('created_at') },
});
export const TimeEntryItem = view(TimeEntries, {
  more: (its) => ({ billed: its.lookup(z.boolean(), 'time_entry_id', readBilled, false) }),
});
