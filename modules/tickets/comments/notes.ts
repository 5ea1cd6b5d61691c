// Editing and deleting one's own recent internal notes (T-33). The log records the action but not the text.
import { conflict, notFound, plus, sql, type Context } from '@keelson/core';
import { Ticket, TicketComment } from '../entities.ts';
import { stampTicket, tellMentioned } from './comments.ts';
import { findMentioned } from './mentions.ts';

const FRESH = { minutes: 10 } as const;

/** Locks and returns a comment of a ticket. @throws notFound(), as for an unknown ticket */
export async function lockComment(ctx: Context, { ticket_id }: Ticket, comment_id: number): Promise<TicketComment> {
  const found = await ctx.db.findOne(TicketComment, {
    where: { comment_id, ticket_id },
    lock: { mode: 'pessimistic_write' },
  });
  if (!found) throw notFound('Ticket');
  return found;
}

/** Changes a note locked with its ticket. @throws conflict() unless it is the author's own and recent */
export async function changeNote(
  ctx: Context,
  ticket: Ticket,
  note: TicketComment,
  comment: string,
): Promise<TicketComment> {
  checkOwnNote(ctx, note);
  if (comment === note.comment) return note;
  const { comment_id } = note;
  await ctx.db.update(TicketComment, { comment_id }, { comment, edited_at: ctx.now });
  await follow(ctx, ticket, note, 'changed');
  const before = new Set(await findMentioned(ctx, note.comment));
  const named = await findMentioned(ctx, comment);
  tellMentioned(
    ctx,
    { ...note, comment },
    named.filter((each) => !before.has(each)),
  );
  return { ...note, comment, edited_at: ctx.now };
}

/** Deletes a note. @throws conflict() unless it is the author's own, recent, and has no attachments */
export async function deleteNote(ctx: Context, ticket: Ticket, note: TicketComment): Promise<void> {
  checkOwnNote(ctx, note);
  const { comment_id, ticket_id } = note;
  const attached = await ctx.db.query(sql`SELECT 1 FROM attachment
    WHERE record_type = ${Ticket.name} AND record_id = ${ticket_id} AND part_id = ${comment_id} LIMIT 1`);
  if (attached.length > 0) throw conflict('The note has attachments');
  await ctx.db.delete(TicketComment, { comment_id });
  await follow(ctx, ticket, note, 'deleted');
}

function checkOwnNote({ author, now }: Context, note: TicketComment): void {
  if (!note.is_internal) throw conflict('Only internal notes can be changed');
  if (note.author_type !== author.type || note.author_id !== author.id)
    throw conflict('You can only change your own notes');
  if (plus(note.created_at, FRESH) < now) throw conflict('A note can be changed for ten minutes');
}

async function follow(ctx: Context, ticket: Ticket, { comment_id }: TicketComment, done: 'changed' | 'deleted') {
  // Logged on the ticket so that its history shows it.
  ctx.record({
    action: 'update',
    entity_type: Ticket.name,
    entity_id: ticket.ticket_id,
    description: `Internal note ${comment_id} on ticket ${ticket.ticket_number} ${done}`,
    shownOn: { of: Ticket, row: ticket },
  });
  await stampTicket(ctx, ticket, { is_internal: true });
}
