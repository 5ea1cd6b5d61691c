// Comments on tickets. No record, because their log line names the ticket's number, and because a comment that comes with
// a change of the ticket has no line of its own.
import { above, announceChange, theSystem, type Author, type Context } from '@keelson/core';
import { Ticket, TicketComment } from './entities.ts';
import { TicketCommented } from './events.ts';
import { notifyRequester } from './notices.ts';
import { transactionOf } from './tickets.ts';
import { publicComments } from './visible.ts';

export interface NewComment {
  readonly comment: string;
  /** For the provider's staff only (T-13). */
  readonly is_internal: boolean;
  /** The requester reads it elsewhere, and gets no mail. */
  readonly unmailed?: boolean;
}

/** All comments of a ticket, oldest first, including internal ones. */
export function readComments(ctx: Context, ticketId: number): Promise<TicketComment[]> {
  return ctx.db.find(TicketComment, { ticket_id: ticketId }, { order: oldestFirst });
}

/** The comments of a ticket that customers may read. */
export function readPublicComments(ctx: Context, ticketId: number): Promise<TicketComment[]> {
  return ctx.db.find(TicketComment, { ticket_id: ticketId, ...publicComments }, { order: oldestFirst });
}

/** The first of those with a higher id than `after`, in the order in which they were made. */
export function nextPublicComments(
  ctx: Context,
  ticketId: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<TicketComment[]> {
  const where = { ticket_id: ticketId, comment_id: above(after), ...publicComments };
  return ctx.db.find(TicketComment, where, { order: [['comment_id', 'ASC']], limit });
}

/** Adds a comment by the current author. A closed ticket takes comments too, and stays closed (T-16). */
export async function commentOnTicket(ctx: Context, ticket: Ticket, input: NewComment): Promise<TicketComment> {
  const row = commentRow(ctx, ticket, ctx.author, input);
  const comment_id = await ctx.db.insert(TicketComment, row);
  // Only the stamp: a comment is no change of the ticket that is logged or emitted.
  await ctx.db.update(Ticket, { ticket_id: ticket.ticket_id }, { updated_at: ctx.now });
  ctx.record({
    action: 'create',
    entity_type: 'ticket_comment',
    entity_id: comment_id,
    description: `Comment on ticket ${ticket.ticket_number} added`,
  });
  announceChange(ctx, { of: Ticket, row: ticket, kind: 'changed', internal: input.is_internal });
  announceComment(ctx, ticket, input);
  if (!input.is_internal && !input.unmailed) notifyRequester(ctx, ticket, 'commented', input.comment);
  return { ...row, comment_id };
}

/** Adds a comment that comes with a change of the ticket: the change is logged and sets `updated_at`. */
export function addComment(ctx: Context, ticket: Ticket, input: NewComment): void {
  transactionOf(ctx).append(TicketComment, commentRow(ctx, ticket, ctx.author, input));
  announceComment(ctx, ticket, input);
}

/** The same with the system as its author. */
export function addSystemComment(ctx: Context, ticket: Ticket, comment: string): void {
  transactionOf(ctx).append(TicketComment, commentRow(ctx, ticket, theSystem, { comment, is_internal: false }));
}

/** For tickets that came from a chat: what the provider writes on them is said there, too (W-08). */
function announceComment(ctx: Context, { ticket_id, source }: Ticket, { is_internal }: NewComment): void {
  if (source !== 'chat' || is_internal || ctx.author.type === 'employee') return;
  ctx.emit(TicketCommented, { ticket_id });
}

const oldestFirst = [
  ['created_at', 'ASC'],
  ['comment_id', 'ASC'],
] as const;

function commentRow(ctx: Context, ticket: Ticket, author: Author, { comment, is_internal }: NewComment) {
  return {
    ticket_id: ticket.ticket_id,
    comment,
    author_type: author.type,
    author_id: author.id,
    author_name: author.name,
    is_internal,
    created_at: ctx.now,
  };
}
