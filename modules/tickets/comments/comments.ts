// Comments on tickets. Not a `record`: their log line names the ticket number, and a comment that accompanies a ticket
// change has no log line of its own.
import { announceChange, In, MoreThan, type Context } from '@keelson/core';
import { theSystem, type Author } from '@keelson/core/log';
import { runHook } from '@keelson/core/plugin';
import { Ticket, TicketComment } from '../entities.ts';
import { TicketAnswered, TicketCommented, TicketMentioned } from '../events.ts';
import { TicketsWritten } from '../hooks.ts';
import { notifyRequesters, notifyWatchers } from '../notices.ts';
import { lockSurvivor } from '../related/merged-into.ts';
import { transactionOf } from '../ticket/tickets.ts';
import { publicComments } from '../ticket/visible.ts';
import { findMentioned } from './mentions.ts';
import { keepSeen } from './read-marks.ts';
import { afterComment, sideOf } from './waiting.ts';

export interface NewComment {
  readonly comment: string;
  /** Visible to the provider's staff only (T-13). */
  readonly is_internal: boolean;
  /** Suppresses mails: the requester reads the comment elsewhere, or everyone gets it in another mail. */
  readonly unmailed?: 'requester' | 'everyone';
  /** An internal note that notifies no one: a program wrote it. */
  readonly quiet?: boolean;
}

type Kind = Pick<NewComment, 'is_internal'>;

/** Returns all comments of a ticket, oldest first, including internal ones. */
export function readComments(ctx: Context, ticketId: number): Promise<TicketComment[]> {
  return ctx.db.find(TicketComment, { where: { ticket_id: ticketId }, order: oldestFirst });
}

/** Returns a ticket's customer-visible comments, oldest first. */
export function readPublicComments(ctx: Context, ticketId: number): Promise<TicketComment[]> {
  return ctx.db.find(TicketComment, { where: { ticket_id: ticketId, ...publicComments }, order: oldestFirst });
}

/** Returns the next public comments with an id above `after`, in order of creation. */
export function nextPublicComments(
  ctx: Context,
  ticketId: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<TicketComment[]> {
  const where = { ticket_id: ticketId, comment_id: MoreThan(after), ...publicComments };
  return ctx.db.find(TicketComment, { where, order: { comment_id: 'ASC' }, take: limit });
}

/**
 * Adds a comment by the current author. A closed ticket accepts comments and stays closed. Comments on a merged ticket
 * go to the ticket it was merged into (T-16). The stored comment holds the id of its actual ticket.
 */
export async function commentOnTicket(ctx: Context, addressed: Ticket, input: NewComment): Promise<TicketComment> {
  const ticket = await lockSurvivor(ctx, addressed);
  const row = commentRow(ctx, ticket, ctx.author, input);
  const comment_id = await ctx.db.insertReturningId(TicketComment, row);
  ctx.record({
    action: 'create',
    entity_type: 'ticket_comment',
    entity_id: comment_id,
    description: `Comment on ticket ${ticket.ticket_number} added`,
    shownOn: { of: Ticket, row: ticket },
  });
  await stampTicket(ctx, ticket, input);
  announceComment(ctx, ticket, input);
  const stored = { ...row, comment_id };
  if (input.is_internal) {
    if (input.quiet) return stored;
    const mentioned = await findMentioned(ctx, input.comment);
    tellMentioned(ctx, stored, mentioned);
    await notifyWatchers(ctx, [ticket], { kind: 'noted', except: mentioned });
    return stored;
  }
  const told = tellAssignee(ctx, ticket, stored);
  const { comment, unmailed } = input;
  const mailed = unmailed ? [] : await notifyRequesters(ctx, [ticket], 'commented', comment);
  const mail = unmailed === 'everyone' ? undefined : 'commented';
  await notifyWatchers(ctx, [ticket], { kind: 'replied', mail, comment, except: told, mailed });
  const after = { ...ticket, ...stampOf(ctx, ticket, input) };
  await runHook(ctx, TicketsWritten, [{ before: ticket, after, commented: sideOf(ctx.author) }]);
  return stored;
}

/** Returns the ticket columns that a comment updates. The update is neither logged nor emitted. */
export function stampOf(ctx: Context, ticket: Ticket, { is_internal }: Kind): Partial<Ticket> {
  return { updated_at: ctx.now, ...(is_internal ? {} : afterComment(ctx, ticket)) };
}

/** Stores the columns from stampOf() and notifies open views of the ticket. */
export async function stampTicket(ctx: Context, ticket: Ticket, kind: Kind): Promise<void> {
  await ctx.db.update(Ticket, { ticket_id: ticket.ticket_id }, stampOf(ctx, ticket, kind));
  await keepSeen(ctx, [ticket]);
  announceChange(ctx, { of: Ticket, row: ticket, kind: 'changed', internal: kind.is_internal });
}

/** Notifies the technicians mentioned in a note. */
export function tellMentioned(
  ctx: Context,
  { ticket_id, comment_id }: TicketComment,
  user_ids: readonly number[],
): void {
  if (user_ids.length === 0) return;
  ctx.emit(TicketMentioned, { ticket_id, comment_id, user_ids: [...user_ids], author_name: ctx.author.name });
}

/** Notifies the assignee that the customer has commented. Returns who was notified. */
function tellAssignee(ctx: Context, { assigned_to }: Ticket, { ticket_id, comment_id }: TicketComment): number[] {
  if (assigned_to === null || ctx.author.type !== 'employee') return [];
  ctx.emit(TicketAnswered, { ticket_id, comment_id, user_id: assigned_to, author_name: ctx.author.name });
  return [assigned_to];
}

/**
 * Adds a comment that accompanies a ticket change. The change is logged and sets `updated_at` and, for a public
 * comment, `last_comment_by`.
 */
export function addComment(ctx: Context, ticket: Ticket, input: NewComment): void {
  transactionOf(ctx).append(TicketComment, commentRow(ctx, ticket, ctx.author, input));
  announceComment(ctx, ticket, input);
}

/**
 * Adds the same comment to several tickets whose change it accompanies, and notifies the assignees if it is the
 * customer's. The number of statements does not grow with the number of tickets.
 */
export async function addComments(ctx: Context, tickets: readonly Ticket[], input: NewComment): Promise<void> {
  if (tickets.length === 0) return;
  if (ctx.author.type !== 'employee') return tickets.forEach((ticket) => addComment(ctx, ticket, input));
  await ctx.db.insert(
    TicketComment,
    tickets.map((ticket) => commentRow(ctx, ticket, ctx.author, input)),
  );
  const ticket_id = In(tickets.map((each) => each.ticket_id));
  const stored = await ctx.db.find(TicketComment, {
    where: { ticket_id, author_type: ctx.author.type, created_at: ctx.now },
    order: oldestFirst,
  });
  const byTicket = new Map(stored.map((each) => [each.ticket_id, each]));
  for (const ticket of tickets) {
    const comment = byTicket.get(ticket.ticket_id);
    if (comment) tellAssignee(ctx, ticket, comment);
  }
}

/** Adds a comment with the system as its author. */
export function addSystemComment(ctx: Context, ticket: Ticket, comment: string): void {
  transactionOf(ctx).append(TicketComment, systemComment(ctx, ticket, comment));
}

/** Builds a public comment by the system. */
export function systemComment(ctx: Context, ticket: Ticket, comment: string) {
  return commentRow(ctx, ticket, theSystem, { comment, is_internal: false });
}

/** Relays the provider's public comments to the chat the ticket came from (W-08). */
function announceComment(ctx: Context, { ticket_id, source }: Ticket, { is_internal }: NewComment): void {
  if (source !== 'chat' || is_internal || ctx.author.type === 'employee') return;
  ctx.emit(TicketCommented, { ticket_id });
}

const oldestFirst = { created_at: 'ASC', comment_id: 'ASC' } as const;

function commentRow(ctx: Context, ticket: Ticket, author: Author, { comment, is_internal }: NewComment) {
  return {
    ticket_id: ticket.ticket_id,
    comment,
    author_type: author.type,
    author_id: author.id,
    author_name: author.name,
    is_internal,
    created_at: ctx.now,
    edited_at: null,
  };
}
