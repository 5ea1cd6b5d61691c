// Bulk actions on up to 500 tickets. Tickets that cannot be changed are reported; the rest are changed.
// The number of statements grows with the number of distinct changes, not of tickets.
import {
  changeAll,
  forbidden,
  invalid,
  is,
  IsNull,
  lockAll,
  pageOf,
  Problem,
  remove,
  view,
  type Admin,
  type Context,
  type EmployeeActor,
} from '@keelson/core';
import { Technician } from '@keelson/modules/directory';
import { addApproval } from '../approvals/approval-need.ts';
import { addComments } from '../comments/comments.ts';
import { sideOf } from '../comments/waiting.ts';
import type { Status, Ticket } from '../entities.ts';
import { DeleteTickets, WriteTickets } from '../permissions.ts';
import { refusedClosings } from '../ticket/closing.ts';
import { checkCustomerMove } from '../ticket/customer-update.ts';
import { TicketNoun } from '../ticket/list.ts';
import type { BulkResult } from '../ticket/shapes.ts';
import { MOST_TAGS, storedTags } from '../ticket/tags.ts';
import { Tickets, type TicketChanges } from '../ticket/tickets.ts';
import { visibleTickets, type Scope } from '../ticket/visible.ts';

export const customerActions = ['close', 'update_status', 'update_priority'] as const;
export const technicianActions = [
  'assign',
  'close',
  'update_priority',
  'update_status',
  'add_tag',
  'remove_tag',
  'delete',
] as const;
type Action = (typeof technicianActions)[number];

export interface BulkRequest {
  readonly action: Action;
  readonly ticket_ids: readonly number[];
  readonly assigned_to?: number | undefined;
  readonly priority?: number | undefined;
  readonly status?: Status | undefined;
  readonly tag?: string | undefined;
  /** Only with `close`. */
  readonly comment?: string | undefined;
}

/** Applies a bulk action. @throws forbidden() if the key lacks the permission for this action (Z-46) */
export async function changeTickets(ctx: Context<Admin>, request: BulkRequest): Promise<BulkResult> {
  await checkBulk(ctx, request);
  const tickets = await lockTickets(ctx, request.ticket_ids);
  const refused = new Map([
    ...tickets.flatMap((ticket) => tagRefusal(request, ticket)),
    ...(await refusedClosings(ctx, tickets, changesOf(request).status)),
  ]);
  const accepted = tickets.filter((each) => !refused.has(each.ticket_id));
  if (request.action === 'delete') await remove(ctx, Tickets, accepted);
  else await apply(ctx, request, accepted, (ticket) => valuesAfter(request, ticket));
  return resultOf(request, accepted, refused);
}

/**
 * Checks the action.
 * @throws forbidden() if the caller lacks the permission; invalid() for a missing or wrong parameter
 */
export async function checkBulk(ctx: Context<Admin>, request: BulkRequest): Promise<void> {
  const permission = request.action === 'delete' ? DeleteTickets : WriteTickets;
  if (!permission.allows(ctx.actor)) throw forbidden();
  changesOf(request);
  await checkAssignee(ctx, request);
}

/** Returns what the action changes on a ticket; empty if it deletes the ticket. */
export function valuesAfter(request: BulkRequest, ticket: Pick<Ticket, 'tags'>): TicketChanges {
  return { ...changesOf(request), ...tagChange(request, ticket) };
}

/**
 * Changes tickets for an employee: only tickets visible to them, and only the status changes open to customers (X-06,
 * M-02).
 */
export async function changeVisibleTickets(ctx: Context<EmployeeActor>, request: BulkRequest): Promise<BulkResult> {
  const changes = changesOf(request);
  const changeable = new Set(await visibleIds(ctx, request.ticket_ids, 'changed'));
  const tickets = await lockTickets(ctx, await visibleIds(ctx, request.ticket_ids, 'seen'));
  const refused = new Map(
    tickets.flatMap((ticket): [number, string][] =>
      changeable.has(ticket.ticket_id)
        ? refusal(ticket, changes.status)
        : [[ticket.ticket_id, 'You follow this ticket but cannot change it']],
    ),
  );
  const others = tickets.filter((each) => !refused.has(each.ticket_id));
  for (const [id, why] of await refusedClosings(ctx, others, changes.status)) refused.set(id, why);
  const accepted = tickets.filter((each) => !refused.has(each.ticket_id));
  await apply(ctx, request, accepted, await addApproval(ctx, accepted, changes));
  return resultOf(request, accepted, refused);
}

/** Returns the columns the action changes. @throws invalid() if its parameter is missing, before any change */
function changesOf({ action, assigned_to, priority, status, tag }: BulkRequest): TicketChanges {
  switch (action) {
    case 'assign':
      return { assigned_to: required('assigned_to', assigned_to) };
    case 'update_priority':
      return { priority: required('priority', priority) };
    case 'update_status':
      return { status: required('status', status) };
    case 'close':
      return { status: 'closed' };
    case 'add_tag':
    case 'remove_tag':
      required('tag', tag);
      return {};
    case 'delete':
      return {};
  }
}

function required<T>(field: string, value: T | undefined): T {
  if (value === undefined) throw invalid(`${field} is required`);
  return value;
}

function tagChange({ action, tag = '' }: BulkRequest, { tags }: Pick<Ticket, 'tags'>): TicketChanges {
  const now = tags ?? [];
  if (action === 'add_tag') return { tags: storedTags([...now, tag]) };
  return action === 'remove_tag' ? { tags: storedTags(now.filter((each) => each !== tag)) } : {};
}

export function tagRefusal(request: BulkRequest, ticket: Pick<Ticket, 'ticket_id' | 'tags'>): [number, string][] {
  const { tags } = tagChange(request, ticket);
  return tags && tags.length > MOST_TAGS ? [[ticket.ticket_id, `A ticket can have at most ${MOST_TAGS} tags`]] : [];
}

async function checkAssignee(ctx: Context, { action, assigned_to }: BulkRequest): Promise<void> {
  if (action !== 'assign' || assigned_to === undefined) return;
  const found = await ctx.db.findOneBy(Technician, { user_id: assigned_to, active: true, deleted_at: IsNull() });
  if (!found) throw invalid('assigned_to must be an active technician');
}

/** Batch size for locking. Descriptions can be 64 KB, and reading 500 at once would block all other requests. */
const LOCKED_AT_ONCE = 125;

async function lockTickets(ctx: Context, ids: readonly number[]): Promise<Ticket[]> {
  // Lock in id order so that two bulk requests cannot deadlock.
  const inOrder = ids.toSorted((a, b) => a - b);
  const tickets: Ticket[] = [];
  for (let from = 0; from < inOrder.length; from += LOCKED_AT_ONCE)
    tickets.push(...(await lockAll(ctx, Tickets, inOrder.slice(from, from + LOCKED_AT_ONCE))));
  return tickets;
}

const TicketId = view(TicketNoun, { only: ['ticket_id'] });

async function visibleIds(ctx: Context<EmployeeActor>, ids: readonly number[], scope: Scope): Promise<number[]> {
  const where = [is('ticket_id', [...ids]), ...visibleTickets(ctx, scope)];
  const { rows } = await pageOf(
    ctx,
    TicketId,
    { sort: 'ticket_id', page: 1, size: ids.length },
    { where, total: ids.length },
  );
  return rows.map((each) => each.ticket_id);
}

async function apply(
  ctx: Context,
  request: BulkRequest,
  tickets: readonly Ticket[],
  changesOf: (ticket: Ticket) => TicketChanges,
): Promise<void> {
  if (request.action !== 'close' || !request.comment) return void (await changeAll(ctx, Tickets, tickets, changesOf));
  const last_comment_by = sideOf(ctx.author) ?? null;
  const changed = await changeAll(ctx, Tickets, tickets, (ticket) =>
    // Closed tickets are not changed and get no comment.
    ticket.status === 'closed' ? changesOf(ticket) : { ...changesOf(ticket), last_comment_by },
  );
  await addComments(ctx, changed, { comment: request.comment, is_internal: false });
}

function refusal(ticket: Ticket, status: Status | undefined): [number, string][] {
  try {
    checkCustomerMove(ticket, status);
    return [];
  } catch (error) {
    if (error instanceof Problem) return [[ticket.ticket_id, error.message]];
    throw error;
  }
}

/** Returns results in request order. Tickets the caller may not see are reported as not found (E-07). */
function resultOf(
  { action, ticket_ids }: BulkRequest,
  done: readonly Ticket[],
  refused: ReadonlyMap<number, string>,
): BulkResult {
  const succeeded = new Set(done.map((each) => each.ticket_id));
  const results = ticket_ids.map((ticket_id) =>
    succeeded.has(ticket_id)
      ? { ticket_id, success: true }
      : { ticket_id, success: false, error: refused.get(ticket_id) ?? 'Ticket not found' },
  );
  const requested = ticket_ids.length;
  return { action, requested, succeeded: succeeded.size, failed: requested - succeeded.size, results };
}
