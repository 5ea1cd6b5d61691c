// Ticket merging within a company (T-31): comments, time entries and attachments move to the target.
import { change, In, invalid, lockAll, notFound, type Context } from '@keelson/core';
import { moveAttachments } from '@keelson/core/attachments';
import { explained } from '@keelson/core/kit';
import { runHook } from '@keelson/core/plugin';
import { systemComment } from '../comments/comments.ts';
import { sideOf } from '../comments/waiting.ts';
import { Ticket, TicketAsset, TicketComment, TicketTimeEntry } from '../entities.ts';
import { TicketsMerged } from '../hooks.ts';
import { copyWatchers } from '../people/watchers.ts';
import { MOST_TAGS, storedTags } from '../ticket/tags.ts';
import { Tickets } from '../ticket/tickets.ts';
import { checkUnmerged, pointTo } from './merged-into.ts';
import { mergeFamily } from './parents.ts';

/**
 * Merges a ticket into another in the caller's transaction. Returns the updated target.
 * @throws notFound(); invalid() unless `into` is another ticket of the company; conflict() if one is already merged
 */
export async function mergeTicket(ctx: Context, ticket_id: number, into_id: number): Promise<Ticket> {
  if (ticket_id === into_id) throw invalid('into must be a different ticket');
  // Lock both in id order so that two opposite merges cannot deadlock.
  const tickets = await lockAll(ctx, Tickets, [ticket_id, into_id]);
  const [from, into] = [ticket_id, into_id].map((id) => tickets.find((each) => each.ticket_id === id));
  if (!from) throw notFound('Ticket');
  if (into?.company_number !== from.company_number) throw invalid('into must be a ticket of the same company');
  await checkUnmerged(ctx, from, into);
  const asset_ids = await moveParts(ctx, from, into);
  await copyWatchers(ctx, from, into);
  await runHook(ctx, TicketsMerged, { from, into });
  const redirected = await pointTo(ctx, ticket_id, into_id);
  const parent_id = await mergeFamily(ctx, from, into);
  await ctx.db.insert(TicketComment, [
    ...[...redirected, from].map((each) => systemComment(ctx, each, `Merged into ticket ${into.ticket_number}`)),
    systemComment(ctx, into, storyOf(from)),
  ]);
  await change(ctx, Tickets, from, { status: 'closed' }, { extra: { merged_into: [null, into.ticket_number] } });
  const changes = {
    parent_id,
    last_comment_by: await readLastSide(ctx, into_id),
    waiting_since: earlier(from, into),
    tags: storedTags([...new Set([...(into.tags ?? []), ...(from.tags ?? [])])].slice(0, MOST_TAGS)),
  };
  const extra = { merged: [null, from.ticket_number] as const, ...(asset_ids && { asset_ids }) };
  return change(ctx, Tickets, into, changes, { extra });
}

function storyOf({ ticket_number, subject, description }: Ticket): string {
  const first = explained(`Ticket ${ticket_number} was merged into this one: ${subject}`);
  return description === '' ? first : `${first}\n\n${description}`;
}

/** Returns the asset ids of the target before and after, if they change. */
async function moveParts(
  ctx: Context,
  { ticket_id: from }: Ticket,
  { ticket_id: to }: Ticket,
): Promise<[number[], number[]] | undefined> {
  await ctx.db.update(TicketComment, { ticket_id: from }, { ticket_id: to });
  await ctx.db.update(TicketTimeEntry, { ticket_id: from }, { ticket_id: to });
  await moveAttachments(ctx, Ticket, { from, to });
  const linked = await ctx.db.findBy(TicketAsset, { ticket_id: In([from, to]) });
  const there = new Set(linked.filter((each) => each.ticket_id === to).map(({ asset_id }) => asset_id));
  const moved = linked.filter(({ asset_id }) => !there.has(asset_id));
  if (linked.length > there.size) await ctx.db.delete(TicketAsset, { ticket_id: from });
  await ctx.db.insert(
    TicketAsset,
    moved.map((each) => ({ ...each, ticket_id: to })),
  );
  const inOrder = (of: readonly number[]) => of.toSorted((a, b) => a - b);
  const all = [...there, ...moved.map(({ asset_id }) => asset_id)];
  return moved.length === 0 ? undefined : [inOrder([...there]), inOrder(all)];
}

async function readLastSide(ctx: Context, ticket_id: number): Promise<Ticket['last_comment_by']> {
  const authors = ['technician', 'employee', 'api', 'assistant'] as const;
  const order = { created_at: 'DESC', comment_id: 'DESC' } as const;
  const last = await ctx.db.findOne(TicketComment, {
    where: { ticket_id, is_internal: false, author_type: In(authors) },
    order,
  });
  return last ? (sideOf({ type: last.author_type }) ?? null) : null;
}

/** Returns the earlier `waiting_since`: a customer waiting on either ticket still waits. */
function earlier(...tickets: readonly Ticket[]): Ticket['waiting_since'] {
  const since = tickets.flatMap(({ waiting_since }) => waiting_since ?? []);
  return since.toSorted((a, b) => (a < b ? -1 : 1))[0] ?? null;
}
