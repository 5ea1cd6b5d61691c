// The ticket record with its side effects, and lookups of single tickets.
import {
  eventDataFor,
  findOr404,
  forbidden,
  In,
  is,
  lock,
  notFound,
  record,
  type Context,
  type EmployeeActor,
  type Wanted,
} from '@keelson/core';
import type { Transaction } from '@keelson/core/database';
import { runHook } from '@keelson/core/plugin';
import { countOf, type Change } from '@keelson/core/record';
import { keepSeen } from '../comments/read-marks.ts';
import { afterMove } from '../comments/waiting.ts';
import { Ticket } from '../entities.ts';
import { TicketAssigned, TicketClosed, TicketUpdated } from '../events.ts';
import { TicketsWritten } from '../hooks.ts';
import { notifyApprovers, notifyRequesters, notifyTechnician, notifyWatchers } from '../notices.ts';
import { forgetReopened } from '../related/merged-into.ts';
import { PortalTicket, TicketItem, TicketNoun } from './list.ts';
import { forgetTags, indexTags } from './tags.ts';
import { visibleTickets, type Scope } from './visible.ts';

/**
 * Ticket record. Use createTicket() instead of `create`: it allocates the number and stores the row with the commit.
 */
export const Tickets = record(TicketNoun, {
  call: ({ ticket_number }) => ticket_number,
  follow: followStatus,
  log: { omit: ['waiting_since', 'last_comment_by'] },
  unchanged: ['status', 'approval_status'],
  changed: announceChanges,
  async removed(ctx, tickets) {
    await forgetTags(ctx, tickets);
    const parent_id = In(tickets.map((each) => each.ticket_id));
    await ctx.db.update(Ticket, { parent_id }, { parent_id: null });
    await runHook(
      ctx,
      TicketsWritten,
      tickets.map((before) => ({ before, after: undefined, commented: undefined })),
    );
  },
});
export type TicketChanges = Wanted<typeof Tickets>;

/** Returns a ticket. @throws notFound() if it is absent or deleted */
export function findTicket(ctx: Context, ticketId: number): Promise<Ticket> {
  return findOr404(ctx, Tickets, ticketId);
}

/** Locks and returns a ticket to change. A second caller waits and then reads the committed state. */
export function lockTicket(ctx: Context, ticketId: number): Promise<Ticket> {
  return lock(ctx, Tickets, ticketId);
}

/** Returns a ticket visible to the signed-in person (Z-04). @throws notFound() for any other */
export async function findVisibleTicket(ctx: Context<EmployeeActor>, ticketId: number): Promise<Ticket> {
  await requireVisible(ctx, ticketId, 'seen');
  return findTicket(ctx, ticketId);
}

/**
 * Returns a ticket that the signed-in person may change.
 * @throws notFound(); forbidden() if the person may see the ticket but not change it
 */
export async function findChangeableTicket(ctx: Context<EmployeeActor>, ticketId: number): Promise<Ticket> {
  await requireVisible(ctx, ticketId, 'changed');
  return findTicket(ctx, ticketId);
}

/**
 * Locks and returns a visible ticket to change.
 * @throws notFound(); forbidden() for `changed` if the person may see the ticket but not change it
 */
export async function lockVisibleTicket(
  ctx: Context<EmployeeActor>,
  ticketId: number,
  scope: Scope = 'seen',
): Promise<Ticket> {
  await requireVisible(ctx, ticketId, scope);
  return lockTicket(ctx, ticketId);
}

export function transactionOf(ctx: Context): Transaction {
  if (!ctx.tx) throw new Error('Changing a ticket requires a transaction');
  return ctx.tx;
}

async function requireVisible(ctx: Context<EmployeeActor>, ticketId: number, scope: Scope): Promise<void> {
  if (await isVisible(ctx, ticketId, scope)) return;
  if (scope === 'changed' && (await isVisible(ctx, ticketId, 'seen')))
    throw forbidden('You can read and comment on this ticket but not change it');
  throw notFound('Ticket');
}

/** Returns whether a ticket is in a scope of the signed-in person. */
export async function isVisible(ctx: Context<EmployeeActor>, ticketId: number, scope: Scope): Promise<boolean> {
  const where = [is('ticket_id', ticketId), ...visibleTickets(ctx, scope)];
  return (await countOf(ctx, PortalTicket, {}, { where })) > 0;
}

/**
 * Derives columns from a status change. Closing sets `closed_at` and withdraws a pending approval; reopening clears
 * `closed_at` (M-01, M-03).
 */
function followStatus(ctx: Context, before: Ticket, { status, approval_status }: Partial<Ticket>): Partial<Ticket> {
  if (status === undefined) return {};
  const waiting = afterMove(ctx, before, status);
  if (status !== 'closed') return { closed_at: null, ...waiting };
  const withdrawn = before.approval_status === 'pending' && approval_status === undefined;
  return { closed_at: ctx.now, ...waiting, ...(withdrawn && { approval_status: 'none' }) };
}

/** Emits events and sends mails for changes (EV-13, EV-17, EV-18). */
async function announceChanges(ctx: Context, changes: readonly Change<typeof Ticket>[]): Promise<void> {
  await keepSeen(
    ctx,
    changes.map(({ before }) => before),
  );
  await forgetReopened(ctx, changes);
  await indexTags(ctx, changes);
  const rows = changes.map(({ after }) => after);
  const itemOf = await eventDataFor(ctx, TicketItem, rows);
  for (const { before, after, changed } of changes) {
    const item = itemOf(after);
    ctx.emit(TicketUpdated, item, { changed });
    if (after.status === 'closed' && before.status !== 'closed') ctx.emit(TicketClosed, item, { changed });
    if (after.approval_status === 'pending' && hasNewApprovers(before, after)) notifyApprovers(ctx, after);
    if (before.approval_status === 'pending' && isDecided(after)) notifyTechnician(ctx, after, 'decided');
    if (after.assigned_to === null || after.assigned_to === before.assigned_to) continue;
    ctx.emit(TicketAssigned, item, { changed });
    notifyTechnician(ctx, after, 'assigned');
  }
  await runHook(
    ctx,
    TicketsWritten,
    changes.map(({ before, after, changed }) => ({
      before,
      after,
      commented: undefined,
      relinked: changed.includes('asset_ids'),
    })),
  );
  await notifyMoved(ctx, changes);
}

/** Notifies requesters of closing, and watchers of status changes: contacts of closing only, as requesters are. */
async function notifyMoved(ctx: Context, changes: readonly Change<typeof Ticket>[]): Promise<void> {
  const moved = changes.filter(({ before, after }) => before.status !== after.status).map(({ after }) => after);
  const [closed, others] = [
    moved.filter(({ status }) => status === 'closed'),
    moved.filter(({ status }) => status !== 'closed'),
  ];
  const mailed = await notifyRequesters(ctx, closed, 'closed');
  await notifyWatchers(ctx, closed, { kind: 'moved', mail: 'closed', mailed });
  await notifyWatchers(ctx, others, { kind: 'moved' });
}

function hasNewApprovers(before: Ticket, after: Ticket): boolean {
  return before.approval_status !== 'pending' || before.requester_employee_number !== after.requester_employee_number;
}

function isDecided({ approval_status }: Ticket): boolean {
  return approval_status === 'approved' || approval_status === 'rejected';
}
