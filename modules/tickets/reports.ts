// Report sources: tickets on both surfaces, time entries on the administrative one.
import { by, In, noun, reportSource, signedIn, view, z, type Context, type EmployeeActor } from '@keelson/core';
import { CompanyNames, EmployeeNames, TechnicianNames } from '@keelson/modules/directory';
import { priorityLabels, Ticket, TicketTimeEntry } from './entities.ts';
import { ReadTickets } from './permissions.ts';
import { customersColumns, FullTicket, TicketNoun } from './ticket/list.ts';
import { visibleTickets } from './ticket/visible.ts';
import { ofLivingTickets } from './time-entries.ts';

const AllTickets = reportSource('admin', 'tickets', {
  title: 'Tickets',
  access: ReadTickets,
  view: FullTicket,
  fields: {
    ticket_id: 'Ticket ID',
    ticket_number: 'Ticket number',
    subject: 'Subject',
    description: 'Description',
    status: 'Status',
    priority: { label: 'Priority', labels: priorityLabels },
    job_type: 'Job type',
    company_number: 'Company number',
    company_name: 'Company',
    site_name: 'Site',
    requester_name: 'Requester',
    assigned_to: 'Technician number',
    assigned_name: 'Assigned to',
    team_name: 'Team',
    approval_status: 'Approval',
    parent_number: 'Parent',
    start_date: 'Start date',
    due_date: 'Due date',
    estimate_minutes: 'Estimate in minutes',
    source: 'Source',
    created_at: 'Created',
    updated_at: 'Updated',
    closed_at: 'Closed',
  },
});

/** Limited to the person's own list, so that reports never count others' tickets (Z-03, Z-19). */
const OwnTicket = view(TicketNoun, {
  only: customersColumns,
  more: (its) => ({
    assigned_tech_name: its.name(TechnicianNames, 'assigned_to'),
    requester_name: its.name(EmployeeNames, 'requester_employee_number'),
  }),
  visible: (ctx: Context<EmployeeActor>) => visibleTickets(ctx, 'mine'),
});

const OwnTickets = reportSource('helpdesk', 'tickets', {
  title: 'Tickets',
  access: signedIn,
  view: OwnTicket,
  fields: {
    ticket_id: 'Ticket ID',
    ticket_number: 'Ticket number',
    subject: 'Subject',
    description: 'Description',
    status: 'Status',
    priority: { label: 'Priority', labels: priorityLabels },
    job_type: 'Job type',
    requester_name: 'Requester',
    assigned_tech_name: 'Assigned to',
    approval_status: 'Approval',
    created_at: 'Created',
    updated_at: 'Updated',
    closed_at: 'Closed',
  },
});

const TimeEntries = noun(TicketTimeEntry, {
  title: 'Time entry',
  // Ids follow creation order, and no index covers `created_at` across all tickets.
  sorts: { time_entry_id: by('time_entry_id') },
});

const TimeEntry = view(TimeEntries, {
  more: (its) => ({
    technician_name: its.name(TechnicianNames, 'user_id'),
    ticket_number: its.lookup(
      z.int().nullable(),
      'ticket_id',
      readTickets((each) => each.ticket_number),
      null,
    ),
    ticket_subject: its.lookup(
      z.string().nullable(),
      'ticket_id',
      readTickets((each) => each.subject),
      null,
    ),
    company_name: its.lookup(z.string().nullable(), 'ticket_id', readCompanies, null),
  }),
  // Time entries of deleted tickets are hidden everywhere.
  visible: () => [ofLivingTickets],
});

const TimeWorked = reportSource('admin', 'time_entries', {
  title: 'Time entries',
  access: ReadTickets,
  view: TimeEntry,
  fields: {
    time_entry_id: 'Entry ID',
    ticket_id: 'Ticket ID',
    ticket_number: 'Ticket number',
    ticket_subject: 'Subject',
    company_name: 'Company',
    technician_name: 'Technician',
    user_name: 'Logged by',
    duration_minutes: 'Minutes',
    billable: 'Billable',
    work_date: 'Day',
    description: 'Description',
    created_at: 'Created',
  },
});

function readTickets<Value>(pick: (ticket: Ticket) => Value) {
  return async ({ db }: Context, ids: readonly number[]): Promise<Map<number, Value>> => {
    if (ids.length === 0) return new Map();
    const found = await db.findBy(Ticket, { ticket_id: In([...new Set(ids)]) });
    return new Map(found.map((each) => [each.ticket_id, pick(each)]));
  };
}

async function readCompanies(ctx: Context, ids: readonly number[]): Promise<Map<number, string>> {
  const companyOf = await readTickets((each) => each.company_number)(ctx, ids);
  const names = await ctx.app.names.get(ctx.db, CompanyNames, companyOf.values());
  return new Map([...companyOf].map(([id, company]) => [id, names.get(company) ?? '']));
}

export default [AllTickets, OwnTickets, TimeWorked];
