// The lists of tickets: what they can be filtered and sorted by.
import {
  by,
  byOther,
  defineList,
  is,
  matching,
  readPage,
  sql,
  toDatabase,
  type Context,
  type EmployeeActor,
  type Filter,
  type Page,
  type Timestamp,
} from '@keelson/core';
import { Company, Employee } from '@keelson/modules/directory';
import { AssigneeCount, JobTypeCount, Ticket, TicketCount, type Status } from './entities.ts';
import { resolveJobType } from './job-types.ts';
import { forPortal, forStaff, readTicketNames } from './names.ts';
import { toPortalTicket, toTicketItem } from './present.ts';
import type { PortalTicket, TicketItem } from './shapes.ts';
import { visibleTickets, type Scope } from './visible.ts';

export const TicketList = defineList({
  table: Ticket,
  columns: [
    'ticket_id',
    'ticket_number',
    'subject',
    'description',
    'status',
    'priority',
    'job_type',
    'company_number',
    'site_number',
    'requester_employee_number',
    'assigned_to',
    'approval_status',
    'created_at',
    'updated_at',
    'closed_at',
  ],
  counters: [TicketCount, AssigneeCount, JobTypeCount],
  sorts: {
    created_at: by('created_at'),
    updated_at: by('updated_at'),
    closed_at: by('closed_at'),
    ticket_id: by('ticket_id'),
    // In the order of the ids, which come from the numbers (create.ts).
    ticket_number: by('ticket_id'),
    subject: by('subject'),
    status: by('status', 'created_at'),
    priority: by('priority', 'created_at'),
    job_type: by('job_type', 'created_at'),
    company_name: byOther({ via: 'company_number', table: Company, column: 'customer' }, 'created_at'),
    assigned_to: by('assigned_to', 'status', 'created_at'),
  },
});
export type ListedTicket = NonNullable<(typeof TicketList)['Row']>;

export interface TicketFilter {
  readonly status?: Status | undefined;
  readonly priority?: number | undefined;
  readonly job_type?: string | undefined;
  readonly company_number?: number | undefined;
  readonly site_number?: number | undefined;
  readonly assigned_to?: number | undefined;
  readonly asset_id?: number | undefined;
  readonly search?: string | undefined;
  /** Both inclusive (P-12). */
  readonly created_after?: Timestamp | undefined;
  readonly created_before?: Timestamp | undefined;
}

export interface Asked extends TicketFilter {
  readonly sort?: string | undefined;
  readonly order?: 'asc' | 'desc' | undefined;
  readonly page: number;
  readonly size: number;
}

/** A page of all tickets. */
export async function listTickets(ctx: Context, asked: Asked): Promise<Page<TicketItem>> {
  const { rows, total } = await readTickets(ctx, asked, []);
  const namesOf = await readTicketNames(ctx, rows, forStaff);
  return { rows: rows.map((each) => toTicketItem(each, namesOf(each))), total };
}

/** A page of the tickets in the signed-in person's sight. */
export async function listVisibleTickets(
  ctx: Context<EmployeeActor>,
  scope: Scope,
  asked: Asked,
  more: readonly Filter[] = [],
): Promise<Page<PortalTicket>> {
  const { rows, total } = await readTickets(ctx, asked, [...visibleTickets(ctx, scope), ...more]);
  const namesOf = await readTicketNames(ctx, rows, forPortal);
  return { rows: rows.map((each) => toPortalTicket(each, namesOf(each))), total };
}

/** A request's filters as the list builder takes them. */
export async function ticketFilters(ctx: Context, asked: TicketFilter): Promise<Filter[]> {
  const { status, priority, company_number, site_number, assigned_to } = asked;
  const job_type = asked.job_type && (await resolveJobType(ctx, asked.job_type)).name;
  const columns = { company_number, status, priority, site_number, assigned_to, job_type };
  const equal = Object.entries(columns).flatMap(([column, value]) => (value ? [is(column, value)] : []));
  return [...equal, ...pieces(asked)];
}

async function readTickets(ctx: Context, asked: Asked, more: readonly Filter[]): Promise<Page<ListedTicket>> {
  const { sort = 'created_at', order = 'desc', page, size } = asked;
  const where = [...(await ticketFilters(ctx, asked)), ...more];
  return readPage(ctx.db, TicketList, { where, sort, direction: order, page, size });
}

function pieces({ created_after, created_before, asset_id, search }: TicketFilter): Filter[] {
  const found: Filter[] = [];
  if (created_after) found.push(sql`ticket.created_at >= ${toDatabase(created_after)}`);
  if (created_before) found.push(sql`ticket.created_at <= ${toDatabase(created_before)}`);
  if (asset_id) found.push(sql`ticket.ticket_id IN (SELECT ticket_id FROM ticket_asset WHERE asset_id = ${asset_id})`);
  if (search) found.push(matching(search, searched));
  return found;
}

/** Where a word is looked for (P-25). */
const searched = [
  'ticket.subject',
  'ticket.description',
  'ticket.ticket_number',
  { via: 'ticket.company_number', table: Company, columns: ['customer'] },
  { via: 'ticket.requester_employee_number', table: Employee, columns: ['first_name', 'last_name'] },
] as const;
