// Reply with comment, internal note, time spent and status change in one transaction.
import { conflict, input, invalid, MoreThan, z, type Context } from '@keelson/core';
import { TicketComment, type Ticket } from '../entities.ts';
import { lockSurvivor } from '../related/merged-into.ts';
import { statusField } from '../ticket/inputs.ts';
import { updateTicket } from '../ticket/update.ts';
import { logTime } from '../time-entries.ts';
import { commentOnTicket, stampOf } from './comments.ts';

export const replyFields = z.object({
  comment: input.optionalLongText(),
  is_internal: input.optional(input.flag()),
  /** An internal note in addition to a public comment. */
  note: input.optionalLongText(),
  duration_minutes: input.optional(input.int(1, 1440)),
  billable: input.optional(input.flag()),
  status: input.optional(statusField),
  assigned_to: input.clearable(input.id()),
  /** The newest comment the writer has seen. */
  seen_comment_id: input.optional(input.int(0, 2_147_483_647)),
  /** Sends the reply despite newer comments. */
  anyway: input.optional(input.flag()),
});
type Reply = z.output<typeof replyFields>;

/**
 * Replies to a ticket locked in the same transaction. Returns the updated ticket (T-26). A reply to a merged ticket,
 * with its time and status, goes to the surviving one (T-16).
 * @throws invalid() for an empty reply; conflict() if someone else has commented since `seen_comment_id`
 */
export async function replyToTicket(ctx: Context, addressed: Ticket, reply: Reply): Promise<Ticket> {
  const { comment = '', is_internal = false, note = '', duration_minutes, billable, status, assigned_to } = reply;
  if (is_internal && note !== '') throw invalid('note requires a public comment: use comment for a note on its own');
  if (
    comment === '' &&
    note === '' &&
    duration_minutes === undefined &&
    status === undefined &&
    assigned_to === undefined
  )
    throw invalid('comment, note, duration_minutes, status or assigned_to is required');
  const ticket = await lockSurvivor(ctx, addressed);
  if (!reply.anyway) await checkSeen(ctx, ticket, reply.seen_comment_id);
  const closes = status === 'closed' && ticket.status !== 'closed';
  let now = ticket;
  const said = [
    // The closing mail already includes the comment.
    { comment, is_internal, ...(closes && { unmailed: 'everyone' as const }) },
    { comment: note, is_internal: true },
  ];
  for (const each of said.filter((some) => some.comment !== '')) {
    await commentOnTicket(ctx, now, each);
    now = { ...now, ...stampOf(ctx, now, each) };
  }
  if (duration_minutes !== undefined) await logTime(ctx, now, { duration_minutes, billable });
  return updateTicket(ctx, now, { status, assigned_to });
}

async function checkSeen(ctx: Context, { ticket_id }: Ticket, seen: number | undefined): Promise<void> {
  if (seen === undefined) return;
  const since = await ctx.db.find(TicketComment, {
    where: { ticket_id, comment_id: MoreThan(seen) },
    order: { comment_id: 'DESC' },
    take: 10,
  });
  const { type, id } = ctx.author;
  const other = since.find((each) => each.author_type !== type || each.author_id !== id);
  if (other) throw conflict(`${other.author_name} has commented since: send again with anyway to add yours`);
}
