// Changing one ticket.
import { conflict, updateCounters, type Context } from '@keelson/core';
import { announceChange, difference, type Changes } from './change.ts';
import { Ticket, type Status } from './entities.ts';
import { resolveJobType } from './job-types.ts';
import { forStaff, readTicketNames } from './names.ts';
import { toTicketItem } from './present.ts';
import { checkReferences, readReferences } from './references.ts';
import { transactionOf } from './tickets.ts';

export interface TicketUpdate {
  readonly subject?: string | undefined;
  readonly description?: string | undefined;
  readonly status?: Status | undefined;
  readonly priority?: number | undefined;
  readonly job_type?: string | undefined;
  readonly site_number?: number | null | undefined;
  readonly assigned_to?: number | null | undefined;
  readonly employee_number?: number | null | undefined;
}

/**
 * Changes a ticket that was locked in the same transaction; answers it as it is then. A change of nothing changes
 * nothing, `updated_at` neither (V-16).
 * @throws invalid() naming a site, technician or contact that does not fit
 */
export async function updateTicket(ctx: Context, ticket: Ticket, update: TicketUpdate): Promise<Ticket> {
  const { employee_number, job_type, ...rest } = update;
  const changes: Changes = { ...rest };
  if (employee_number !== undefined) changes.requester_employee_number = employee_number;
  if (job_type !== undefined) changes.job_type = (await resolveJobType(ctx, job_type)).name;
  return storeChange(ctx, ticket, changes);
}

/** Closes a ticket; one that is closed stays as it is. */
export function closeTicket(ctx: Context, ticket: Ticket): Promise<Ticket> {
  return storeChange(ctx, ticket, { status: 'closed' });
}

/** Stores changes of a ticket that was locked in the same transaction, and tells them. */
export async function storeChange(ctx: Context, ticket: Ticket, changes: Changes): Promise<Ticket> {
  const set = difference(ctx, ticket, changes);
  if (!set) return ticket;
  const after = { ...ticket, ...set };
  const references = await readReferences(ctx.db, after);
  checkReferences(references, Object.keys(set));
  const same = { ticket_id: ticket.ticket_id, status: ticket.status, approval_status: ticket.approval_status };
  if ((await ctx.db.update(Ticket, { ...same, deleted_at: null }, set)) === 0)
    throw conflict('The ticket was changed by somebody else meanwhile');
  announceChange(ctx, ticket, set, toTicketItem(after, references.names));
  return after;
}

/**
 * Stores changes of many tickets that were locked in the same transaction, and tells each; answers those that changed.
 * References must have been looked at. Statements grow with the number of different changes.
 */
export async function storeChanges(
  ctx: Context,
  tickets: readonly Ticket[],
  changesOf: (ticket: Ticket) => Changes,
): Promise<Ticket[]> {
  const changed = tickets.flatMap((before) => {
    const set = difference(ctx, before, changesOf(before));
    return set ? [{ before, set, after: { ...before, ...set } }] : [];
  });
  // Tickets that waited for approval, must wait now, or were closed change in more columns than the rest.
  for (const alike of Map.groupBy(changed, (each) => JSON.stringify(each.set)).values()) {
    const [first] = alike;
    if (first) await ctx.db.update(Ticket, { ticket_id: alike.map((each) => each.before.ticket_id) }, first.set);
  }
  const after = changed.map((each) => each.after);
  const namesOf = await readTicketNames(ctx, after, forStaff);
  for (const each of changed) announceChange(ctx, each.before, each.set, toTicketItem(each.after, namesOf(each.after)));
  return after;
}

/** Deletes a ticket; its comments and time entries go with it (T-23). */
export async function deleteTicket(ctx: Context, ticket: Ticket): Promise<void> {
  await removeTickets(ctx, [ticket]);
}

/** Deletes tickets that were locked in the same transaction. */
export async function removeTickets(ctx: Context, tickets: readonly Ticket[]): Promise<void> {
  const tx = transactionOf(ctx);
  await tx.update(Ticket, { ticket_id: tickets.map((each) => each.ticket_id) }, { deleted_at: ctx.now });
  for (const ticket of tickets) {
    updateCounters(ctx, Ticket, ticket, undefined);
    ctx.record({
      action: 'delete',
      entity_type: 'ticket',
      entity_id: ticket.ticket_id,
      description: `Ticket ${ticket.ticket_number} deleted`,
    });
  }
}
