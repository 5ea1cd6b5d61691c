// Changes and deletions of single tickets.
import { change, invalid, remove, type Context } from '@keelson/core';
import { readApprovers } from '@keelson/modules/directory';
import type { Ticket } from '../entities.ts';
import { checkTeam } from '../people/teams.ts';
import { linkChanges, namedAssets } from '../related/links.ts';
import { checkParent, closeChildren } from '../related/parents.ts';
import { checkReferences, readReferences } from '../related/references.ts';
import { checkClosing } from './closing.ts';
import { checkDates } from './dates.ts';
import type { TicketUpdate } from './inputs.ts';
import { resolveJobType } from './job-types.ts';
import { storedTags } from './tags.ts';
import { Tickets, type TicketChanges } from './tickets.ts';

/**
 * Changes a ticket locked in the same transaction and returns the updated ticket. If no value differs, nothing is
 * written, not even `updated_at` (V-16).
 * @throws invalid() naming a site, technician or contact that may not be set; conflict() if it must stay open
 */
export async function updateTicket(ctx: Context, ticket: Ticket, update: TicketUpdate): Promise<Ticket> {
  const {
    employee_number: requester_employee_number,
    job_type,
    asset_id,
    asset_ids,
    tags,
    close_children,
    ...rest
  } = update;
  const changes: TicketChanges = { ...rest, requester_employee_number, ...(tags && { tags: storedTags(tags) }) };
  if (job_type !== undefined) changes.job_type = (await resolveJobType(ctx, job_type)).name;
  checkDates(changes, ticket);
  await checkNewReferences(ctx, ticket, changes);
  if (await losesApprovers(ctx, ticket, changes)) changes.approval_status = 'none';
  if (changes.team_id !== ticket.team_id) await checkTeam(ctx, changes.team_id);
  if (changes.parent_id !== ticket.parent_id) await checkParent(ctx, ticket, changes.parent_id);
  if (close_children) {
    if (changes.status !== 'closed') throw invalid('close_children requires the status closed');
    await closeChildren(ctx, ticket);
  }
  await checkClosing(ctx, ticket, changes.status);
  const named = namedAssets({ asset_id, asset_ids });
  return change(ctx, Tickets, ticket, changes, named && (await linkChanges(ctx, ticket, named)));
}

/** Assigns a ticket without an assignee by a rule. `why` appears in its history: `by turn in team Network`. */
export function assignTicket(ctx: Context, ticket: Ticket, assigned_to: number, why: string): Promise<Ticket> {
  return change(ctx, Tickets, ticket, { assigned_to }, { extra: { assigned_because: [null, why] } });
}

/** Closes a ticket; does nothing if already closed. @throws conflict() if it must stay open */
export async function closeTicket(ctx: Context, ticket: Ticket): Promise<Ticket> {
  await checkClosing(ctx, ticket, 'closed');
  return change(ctx, Tickets, ticket, { status: 'closed' });
}

/** Deletes a ticket. Its comments and time entries are hidden with it (T-23). */
export function deleteTicket(ctx: Context, ticket: Ticket): Promise<void> {
  return remove(ctx, Tickets, ticket);
}

// Not in the record's `prepare`, which runs per row of a bulk action; bulk actions check their one technician once.
async function checkNewReferences(ctx: Context, ticket: Ticket, changes: TicketChanges): Promise<void> {
  const fields = ['site_number', 'assigned_to', 'requester_employee_number'] as const;
  const differing = fields.filter((field) => changes[field] !== undefined && changes[field] !== ticket[field]);
  if (differing.length === 0) return;
  const { company_number } = ticket;
  const {
    site_number = ticket.site_number,
    assigned_to = ticket.assigned_to,
    requester_employee_number = ticket.requester_employee_number,
  } = changes;
  const after = { company_number, site_number, assigned_to, requester_employee_number };
  checkReferences(await readReferences(ctx.db, after), differing);
}

/** Returns whether a pending ticket gets a requester whose requests no one can decide on (T-03). */
async function losesApprovers(
  ctx: Context,
  { approval_status, requester_employee_number: before }: Ticket,
  { requester_employee_number: after }: TicketChanges,
): Promise<boolean> {
  if (approval_status !== 'pending' || after === undefined || after === before) return false;
  return after === null || (await readApprovers(ctx, after)).length === 0;
}
