// One ticket with everything that belongs to it.
import type { Context, EmployeeActor } from '@keelson/core';
import { Employee } from '@keelson/modules/directory';
import { readComments, readPublicComments } from './comments.ts';
import type { Ticket } from './entities.ts';
import { readLinks } from './links.ts';
import { forPortal, readTicketNames } from './names.ts';
import { toPortalTicket, toTicketItem } from './present.ts';
import { readTimeEntries } from './time-entries.ts';

/** What technicians see of a ticket (F-24). */
export async function readTicketDetail(ctx: Context, ticket: Ticket) {
  const namesOf = await readTicketNames(ctx, [ticket]);
  const names = namesOf(ticket);
  const time_entries = await readTimeEntries(ctx, ticket.ticket_id);
  return {
    ...toTicketItem(ticket, names),
    requester_employee_number: ticket.requester_employee_number,
    requester_name: names.requester_name,
    requester_email: await readRequesterEmail(ctx, ticket),
    source: ticket.source,
    comments: await readComments(ctx, ticket.ticket_id),
    ...(await copyLinks(ctx, ticket)),
    time_entries,
    total_minutes: time_entries.reduce((sum, each) => sum + each.duration_minutes, 0),
  };
}

/** What the customer's people see of a ticket: no internal comment (T-13, F-25). */
export async function readPortalDetail(ctx: Context<EmployeeActor>, ticket: Ticket) {
  const { assets, contracts } = await copyLinks(ctx, ticket);
  return {
    ...(await readPortalTicket(ctx, ticket)),
    comments: await readPublicComments(ctx, ticket.ticket_id),
    asset: assets[0] ?? null,
    contracts,
  };
}

/** A ticket as an employee's lists show it. */
export async function readPortalTicket(ctx: Context, ticket: Ticket) {
  const namesOf = await readTicketNames(ctx, [ticket], forPortal);
  return toPortalTicket(ticket, namesOf(ticket));
}

async function readRequesterEmail(ctx: Context, { requester_employee_number }: Ticket): Promise<string | null> {
  if (requester_employee_number === null) return null;
  const requester = await ctx.db.one(Employee, { employee_number: requester_employee_number });
  return requester?.email ?? null;
}

async function copyLinks(ctx: Context, ticket: Ticket) {
  const { assets, contracts } = await readLinks(ctx, ticket);
  return { assets: [...assets], contracts: [...contracts] };
}
