// The checklist of a ticket. Not a `record`: its log lines belong to the ticket's history.
import { announceChange, conflict, In, notFound, type Context, type z } from '@keelson/core';
import { Ticket, type ChecklistItem } from '@keelson/modules/tickets';
import { TicketChecklistItem } from './entities.ts';
import { MOST_ITEMS, type itemChanges } from './fields.ts';

const inOrder = { position: 'ASC', item_id: 'ASC' } as const;

/** Returns the checklists of tickets, in order. */
export async function readChecklists(
  { db }: Context,
  ticket_id: readonly number[],
): Promise<ReadonlyMap<number, ChecklistItem[]>> {
  const found = await db.find(TicketChecklistItem, { where: { ticket_id: In(ticket_id) }, order: inOrder });
  const byTicket = Map.groupBy(found, (each) => each.ticket_id);
  return new Map([...byTicket].map(([id, items]) => [id, items.map(shown)]));
}

/** Returns the checklist of one ticket. */
export const readChecklist = async (ctx: Context, ticket_id: number): Promise<ChecklistItem[]> =>
  (await readChecklists(ctx, [ticket_id])).get(ticket_id) ?? [];

const shown = ({ item_id, title, required, done_at, done_by }: TicketChecklistItem): ChecklistItem => ({
  ...{ item_id, title, required, done_at, done_by },
});

export interface NewItem {
  readonly title: string;
  readonly required?: boolean | undefined;
}

/** Adds items to the end of the checklist of a locked ticket. @throws conflict() if there are too many */
export async function addItems(ctx: Context, ticket: Ticket, items: readonly NewItem[]): Promise<void> {
  const { ticket_id } = ticket;
  const present = await ctx.db.find(TicketChecklistItem, { where: { ticket_id }, order: inOrder });
  if (present.length + items.length > MOST_ITEMS) throw conflict(`A checklist can have at most ${MOST_ITEMS} items`);
  await ctx.db.insert(TicketChecklistItem, rowsOf(ctx, ticket_id, items, (present.at(-1)?.position ?? 0) + 1));
  for (const { title } of items) follow(ctx, ticket, `Checklist item “${title}” added`);
}

/** Adds the checklist of a ticket that is stored in the same commit. */
export function addNew({ tx, ...ctx }: Context, { ticket_id }: Ticket, items: readonly NewItem[]): void {
  for (const row of rowsOf(ctx, ticket_id, items, 1)) tx?.append(TicketChecklistItem, row);
}

const rowsOf = ({ now }: Pick<Context, 'now'>, ticket_id: number, items: readonly NewItem[], first: number) =>
  items.map(({ title, required = false }, index) => ({
    ...{ ticket_id, title, required },
    position: first + index,
    done_at: null,
    done_by: '',
    created_at: now,
  }));

/** Returns an item of a locked ticket. @throws notFound() */
export async function findItem({ db }: Context, { ticket_id }: Ticket, item_id: number): Promise<TicketChecklistItem> {
  const found = await db.findOneBy(TicketChecklistItem, { item_id, ticket_id });
  // The same error as for an absent ticket.
  if (!found) throw notFound('Ticket');
  return found;
}

/** Changes an item of a locked ticket; `done` completes or reopens it. Nothing is written if no value differs. */
export async function changeItem(
  ctx: Context,
  ticket: Ticket,
  before: TicketChecklistItem,
  { done = before.done_at !== null, title = before.title, required = before.required }: z.output<typeof itemChanges>,
): Promise<void> {
  const { item_id } = before;
  if (done !== (before.done_at !== null)) {
    const completed = done ? { done_at: ctx.now, done_by: ctx.author.name } : { done_at: null, done_by: '' };
    await ctx.db.update(TicketChecklistItem, { item_id }, completed);
    follow(ctx, ticket, `Checklist item “${before.title}” ${done ? 'completed' : 'reopened'}`);
  }
  if (title === before.title && required === before.required) return;
  await ctx.db.update(TicketChecklistItem, { item_id }, { title, required });
  if (title !== before.title) follow(ctx, ticket, `Checklist item “${before.title}” renamed to “${title}”`);
  if (required !== before.required)
    follow(ctx, ticket, `Checklist item “${title}” is ${required ? 'now' : 'no longer'} required`);
}

/** Removes an item of a locked ticket. */
export async function removeItem(ctx: Context, ticket: Ticket, { item_id, title }: TicketChecklistItem): Promise<void> {
  await ctx.db.delete(TicketChecklistItem, { item_id });
  follow(ctx, ticket, `Checklist item “${title}” removed`);
}

/** Records the change in the ticket's history and refreshes open pages; the ticket itself stays as it is. */
function follow(ctx: Context, ticket: Ticket, description: string): void {
  ctx.record({ action: 'update', entity_type: Ticket.name, entity_id: ticket.ticket_id, description });
  announceChange(ctx, { of: Ticket, row: ticket, kind: 'changed', internal: true });
}
