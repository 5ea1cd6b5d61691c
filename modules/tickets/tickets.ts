// Finding one ticket.
import { countList, is, notFound, type Context, type EmployeeActor, type Transaction } from '@keelson/core';
import { Ticket } from './entities.ts';
import { TicketList } from './list.ts';
import { visibleTickets, type Scope } from './visible.ts';

/** @throws notFound() when it is absent or deleted */
export async function findTicket(ctx: Context, ticketId: number): Promise<Ticket> {
  return read(ctx, ticketId, { lock: false });
}

/** The same for somebody who is about to change it: whoever comes second waits, and sees what the first one did. */
export async function lockTicket(ctx: Context, ticketId: number): Promise<Ticket> {
  return read(ctx, ticketId, { lock: true });
}

/** A ticket the signed-in person may see (Z-04). @throws notFound() for any other */
export async function findVisibleTicket(ctx: Context<EmployeeActor>, ticketId: number): Promise<Ticket> {
  await requireVisible(ctx, ticketId, 'seen');
  return findTicket(ctx, ticketId);
}

/** A ticket the signed-in person is about to change. */
export async function lockVisibleTicket(
  ctx: Context<EmployeeActor>,
  ticketId: number,
  scope: Scope = 'seen',
): Promise<Ticket> {
  await requireVisible(ctx, ticketId, scope);
  return lockTicket(ctx, ticketId);
}

/** The transaction a change works in. */
export function transactionOf(ctx: Context): Transaction {
  if (!ctx.tx) throw new Error('A ticket is changed in a transaction only');
  return ctx.tx;
}

async function requireVisible(ctx: Context<EmployeeActor>, ticketId: number, scope: Scope): Promise<void> {
  const found = await countList(ctx.db, TicketList, [is('ticket_id', ticketId), ...visibleTickets(ctx, scope)]);
  if (found === 0) throw notFound('Ticket');
}

async function read(ctx: Context, ticketId: number, options: { lock: boolean }): Promise<Ticket> {
  const ticket = await ctx.db.one(Ticket, { ticket_id: ticketId, deleted_at: null }, options);
  if (!ticket) throw notFound('Ticket');
  return ticket;
}
