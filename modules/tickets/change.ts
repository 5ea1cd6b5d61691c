// What every change of a ticket does, whether one ticket changes or five hundred.
import { changesBetween, conflict, updateCounters, type Context } from '@keelson/core';
import { Ticket, type Status } from './entities.ts';
import { TicketAssigned, TicketClosed, TicketUpdated } from './events.ts';
import { notifyApprovers, notifyRequester } from './notices.ts';
import type { TicketItem } from './shapes.ts';

/** The fields of a ticket that anybody changes directly; the rest follows from them. */
export type Changes = Partial<
  Pick<
    Ticket,
    | 'subject'
    | 'description'
    | 'status'
    | 'priority'
    | 'job_type'
    | 'site_number'
    | 'assigned_to'
    | 'requester_employee_number'
    | 'approval_status'
  >
>;

/** What has to be stored for the changes: undefined when nothing differs (V-16). */
export function difference(ctx: Context, ticket: Ticket, changes: Changes): Partial<Ticket> | undefined {
  const differing = Object.fromEntries(
    Object.entries(changesBetween(ticket, changes)).map(([field, [, value]]) => [field, value]),
  );
  if (Object.keys(differing).length === 0) return undefined;
  return { ...differing, ...consequences(ctx, ticket, changes), updated_at: ctx.now };
}

/** Closing sets `closed_at` and withdraws what waits for approval; leaving `closed` clears it (M-01, M-03). */
function consequences(ctx: Context, ticket: Ticket, { status, approval_status }: Changes): Partial<Ticket> {
  if (status === undefined || status === ticket.status) return {};
  if (status !== 'closed') return { closed_at: null };
  const withdrawn = ticket.approval_status === 'pending' && approval_status === undefined;
  return { closed_at: ctx.now, ...(withdrawn && { approval_status: 'none' }) };
}

/** Counts, records and tells a change that is stored in the same transaction (EV-13, EV-17, EV-18). */
export function announceChange(ctx: Context, before: Ticket, set: Partial<Ticket>, item: TicketItem): void {
  const after = { ...before, ...set };
  updateCounters(ctx, Ticket, before, after);
  ctx.record({
    action: 'update',
    entity_type: 'ticket',
    entity_id: before.ticket_id,
    description: `Ticket ${before.ticket_number} updated`,
    changes: changesBetween(before, { ...set, updated_at: undefined }),
  });
  const changed = Object.keys(set).filter((field) => field !== 'updated_at');
  ctx.emit(TicketUpdated, item, { changed });
  if (after.status === 'closed' && before.status !== 'closed') {
    ctx.emit(TicketClosed, item, { changed });
    notifyRequester(ctx, after, 'closed');
  }
  if (after.approval_status === 'pending' && before.approval_status !== 'pending') notifyApprovers(ctx, after);
  if (after.assigned_to !== null && after.assigned_to !== before.assigned_to)
    ctx.emit(TicketAssigned, item, { changed });
}

/**
 * The moves that customers may make themselves (M-02).
 * @throws conflict() saying which rule forbids it
 */
export function checkCustomerMove(ticket: Ticket, status: Status | undefined): void {
  if (status === undefined || status === ticket.status) return;
  if (ticket.approval_status === 'pending' && status !== 'closed')
    throw conflict('status may only become closed while approval is pending');
  if (ticket.status !== 'closed') return;
  if (ticket.approval_status === 'rejected') throw conflict('A rejected ticket cannot be reopened');
  if (status !== 'open') throw conflict('status of a closed ticket may only become open');
}
