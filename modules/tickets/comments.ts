// Comments on tickets.
import { by, defineList, is, readPage, theSystem, type Author, type Context } from '@keelson/core';
import { Ticket, TicketComment } from './entities.ts';
import { notifyRequester } from './notices.ts';
import { transactionOf } from './tickets.ts';
import { publicComments } from './visible.ts';

export interface NewComment {
  readonly comment: string;
  /** For the provider's staff only (T-13). */
  readonly is_internal: boolean;
}

/** All comments of a ticket, oldest first, internal ones among them. */
export function readComments(ctx: Context, ticketId: number): Promise<TicketComment[]> {
  return ctx.db.find(TicketComment, { ticket_id: ticketId }, { order: oldestFirst });
}

/** The comments of a ticket that customers may read. */
export function readPublicComments(ctx: Context, ticketId: number): Promise<TicketComment[]> {
  return ctx.db.find(TicketComment, { ticket_id: ticketId, ...publicComments }, { order: oldestFirst });
}

/** A page of a ticket's comments, oldest first, internal ones among them. */
export function listComments(
  ctx: Context,
  ticket: Ticket,
  { page, size }: { readonly page: number; readonly size: number },
) {
  const where = [is('ticket_id', ticket.ticket_id)];
  return readPage(ctx.db, CommentList, { where, sort: 'created_at', direction: 'asc', page, size });
}

/** Adds a comment by whoever acts; a closed ticket takes it and stays closed (T-16). */
export async function commentOnTicket(ctx: Context, ticket: Ticket, input: NewComment): Promise<TicketComment> {
  const row = commentRow(ctx, ticket, ctx.author, input);
  const comment_id = await ctx.db.insert(TicketComment, row);
  await ctx.db.update(Ticket, { ticket_id: ticket.ticket_id }, { updated_at: ctx.now });
  recordComment(ctx, ticket, comment_id);
  if (!input.is_internal) notifyRequester(ctx, ticket, 'commented', input.comment);
  return { ...row, comment_id };
}

/** Adds a comment together with a change of the ticket, which records and stamps it. */
export function addComment(ctx: Context, ticket: Ticket, input: NewComment): void {
  transactionOf(ctx).append(TicketComment, commentRow(ctx, ticket, ctx.author, input));
}

/** The same in the system's name. */
export function addSystemComment(ctx: Context, ticket: Ticket, comment: string): void {
  transactionOf(ctx).append(TicketComment, commentRow(ctx, ticket, theSystem, { comment, is_internal: false }));
}

const CommentList = defineList({
  table: TicketComment,
  columns: ['comment_id', 'comment', 'author_type', 'author_name', 'is_internal', 'created_at'],
  sorts: { created_at: by('created_at') },
});

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

function recordComment(ctx: Context, ticket: Ticket, comment_id: number): void {
  ctx.record({
    action: 'create',
    entity_type: 'ticket_comment',
    entity_id: comment_id,
    description: `Comment on ticket ${ticket.ticket_number} added`,
  });
}
