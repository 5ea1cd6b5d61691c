// Comments on tickets. No record, because their log line names the ticket's number, and because a comment that comes with
// a change of the ticket has no line of its own.
import { announceChange, theSystem, type Author, type Context } from '@keelson/core';
import { Ticket, TicketComment } from './entities.ts';
import { notifyRequester } from './notices.ts';
import { transactionOf } from './tickets.ts';
import { publicComments } from './visible.ts';

export interface NewComment {
  readonly comment: string;
  /** For the provider's staff only (T-13). */
  readonly is_internal: boolean;
}

/** All comments of a ticket, oldest first, including internal ones. */
export function readComments(ctx: Context, ticketId: number): Promise<TicketComment[]> {
  return ctx.db.find(TicketComment, { ticket_id: ticketId }, { order: oldestFirst });
}

/** The comments of a ticket that customers may read. */
export function readPublicComments(ctx: Context, ticketId: number): Promise<TicketComment[]> {
  return ctx.db.find(TicketComment, { ticket_id: ticketId, ...publicComments }, { order: oldestFirst });
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
  if (!input.is_internal) notifyRequester(ctx, ticket, 'commented', input.comment);
  return { ...row, comment_id };
}

/** Adds a comment that comes with a change of the ticket: the change is logged and sets `updated_at`. */
export function addComment(ctx: Context, ticket: Ticket, input: NewComment): void {
  transactionOf(ctx).append(TicketComment, commentRow(ctx, ticket, ctx.author, input));
}

/** The same with the system as its author. */
export function addSystemComment(ctx: Context, ticket: Ticket, comment: string): void {
  transactionOf(ctx).append(TicketComment, commentRow(ctx, ticket, theSystem, { comment, is_internal: false }));
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
