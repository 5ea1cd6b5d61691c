// A ticket's checklist. Not a `record`, because its log lines belong to the ticket's history.
import { announceChange, conflict, In, invalid, IsNull, notFound, type Context, type Day, type z } from '@keelson/core';
import { dayInWords } from '@keelson/core/kit';
import { Technician, TechnicianNames } from '@keelson/modules/directory';
import { Ticket, TicketConcern, type ChecklistItem } from '@keelson/modules/tickets';
import { TicketChecklistItem } from './entities.ts';
import { MOST_ITEMS, type itemChanges } from './fields.ts';

const inOrder = { position: 'ASC', item_id: 'ASC' } as const;

/** Returns the checklists of tickets, in order. */
export async function readChecklists(
  { db, app }: Context,
  ticket_id: readonly number[],
): Promise<ReadonlyMap<number, ChecklistItem[]>> {
  const found = await db.find(TicketChecklistItem, { where: { ticket_id: In(ticket_id) }, order: inOrder });
  const people = found.flatMap(({ assigned_to }) => assigned_to ?? []);
  const names = await app.names.get(db, TechnicianNames, [...new Set(people)]);
  const byTicket = Map.groupBy(found, (each) => each.ticket_id);
  return new Map([...byTicket].map(([id, items]) => [id, items.map((each) => shown(each, names))]));
}

/** Returns the checklist of one ticket. */
export const readChecklist = async (ctx: Context, ticket_id: number): Promise<ChecklistItem[]> =>
  (await readChecklists(ctx, [ticket_id])).get(ticket_id) ?? [];

function shown(
  { item_id, title, required, assigned_to, due_date, done_at, done_by }: TicketChecklistItem,
  names: ReadonlyMap<number, string>,
): ChecklistItem {
  const assigned_name = assigned_to === null ? null : (names.get(assigned_to) ?? null);
  return { item_id, title, required, assigned_to, assigned_name, due_date, done_at, done_by };
}

export interface NewItem {
  readonly title: string;
  readonly required?: boolean | undefined;
  readonly assigned_to?: number | null | undefined;
  readonly due_date?: Day | null | undefined;
}

/** Adds items to the end of the checklist of a locked ticket. @throws conflict() if there are too many */
export async function addItems(ctx: Context, ticket: Ticket, items: readonly NewItem[]): Promise<void> {
  const { ticket_id } = ticket;
  const present = await ctx.db.find(TicketChecklistItem, { where: { ticket_id }, order: inOrder });
  if (present.length + items.length > MOST_ITEMS) throw conflict(`A checklist can have at most ${MOST_ITEMS} items`);
  for (const { assigned_to } of items) if (assigned_to) await checkAssignee(ctx, assigned_to);
  await ctx.db.insert(TicketChecklistItem, rowsOf(ctx, ticket_id, items, (present.at(-1)?.position ?? 0) + 1));
  for (const { title, assigned_to } of items) {
    follow(ctx, ticket, `Checklist item “${title}” added`);
    announceTask(ctx, ticket, assigned_to ?? null);
  }
}

/** Adds the checklist of a ticket created in the same transaction. */
export function addNew({ tx, ...ctx }: Context, { ticket_id }: Ticket, items: readonly NewItem[]): void {
  for (const row of rowsOf(ctx, ticket_id, items, 1)) tx?.append(TicketChecklistItem, row);
}

const rowsOf = ({ now }: Pick<Context, 'now'>, ticket_id: number, items: readonly NewItem[], first: number) =>
  items.map(({ title, required = false, assigned_to = null, due_date = null }, index) => ({
    ...{ ticket_id, title, required, assigned_to, due_date },
    position: first + index,
    done_at: null,
    done_by: '',
    created_at: now,
  }));

/**
 * Returns a checklist item of a locked ticket.
 * @throws notFound()
 */
export async function findItem({ db }: Context, { ticket_id }: Ticket, item_id: number): Promise<TicketChecklistItem> {
  const found = await db.findOneBy(TicketChecklistItem, { item_id, ticket_id });
  // The same error as for a missing ticket.
  if (!found) throw notFound('Ticket');
  return found;
}

/** Changes a checklist item of a locked ticket; `done` completes or reopens it. Writes nothing if no value differs. */
export async function changeItem(
  ctx: Context,
  ticket: Ticket,
  before: TicketChecklistItem,
  { done = before.done_at !== null, ...changes }: z.output<typeof itemChanges>,
): Promise<void> {
  const { item_id } = before;
  const {
    title = before.title,
    required = before.required,
    assigned_to = before.assigned_to,
    due_date = before.due_date,
  } = changes;
  const reassigned = assigned_to !== before.assigned_to;
  if (reassigned && assigned_to !== null) await checkAssignee(ctx, assigned_to);
  if (done !== (before.done_at !== null)) {
    const completed = done ? { done_at: ctx.now, done_by: ctx.author.name } : { done_at: null, done_by: '' };
    await ctx.db.update(TicketChecklistItem, { item_id }, completed);
    if (done) follow(ctx, ticket, `Checklist item “${before.title}” completed`);
    else follow(ctx, ticket, `Checklist item “${before.title}” reopened`);
  }
  const redated = due_date !== before.due_date;
  if (title === before.title && required === before.required && !reassigned && !redated) return;
  await ctx.db.update(TicketChecklistItem, { item_id }, { title, required, assigned_to, due_date });
  if (reassigned) {
    const names = await ctx.app.names.get(ctx.db, TechnicianNames, assigned_to === null ? [] : [assigned_to]);
    if (assigned_to === null) follow(ctx, ticket, `Checklist item “${title}” unassigned`);
    else follow(ctx, ticket, `Checklist item “${title}” assigned to ${names.get(assigned_to) ?? ''}`);
    announceTask(ctx, ticket, assigned_to);
  }
  if (redated && due_date === null) follow(ctx, ticket, `Checklist item “${title}” no longer has a due date`);
  else if (redated) follow(ctx, ticket, `Checklist item “${title}” is due ${dayInWords(due_date ?? '')}`);
  if (title !== before.title) follow(ctx, ticket, `Checklist item “${before.title}” renamed to “${title}”`);
  if (required !== before.required)
    follow(ctx, ticket, `Checklist item “${title}” is ${required ? 'now' : 'no longer'} required`);
}

/** Removes a checklist item of a locked ticket. */
export async function removeItem(ctx: Context, ticket: Ticket, { item_id, title }: TicketChecklistItem): Promise<void> {
  await ctx.db.delete(TicketChecklistItem, { item_id });
  follow(ctx, ticket, `Checklist item “${title}” removed`);
}

async function checkAssignee({ db }: Context, user_id: number): Promise<void> {
  if (!(await db.existsBy(Technician, { user_id, active: true, deleted_at: IsNull() })))
    throw invalid('assigned_to must be an active technician');
}

/** Notifies the assignee of a task, unless they assigned it to themselves. */
function announceTask(ctx: Context, { ticket_id }: Ticket, user_id: number | null): void {
  const { type, id, name: author_name } = ctx.author;
  if (user_id === null || (type === 'technician' && id === user_id)) return;
  ctx.emit(TicketConcern, { kind: 'task', ticket_id, user_id, author_name });
}

/** Records the change in the ticket's history and refreshes open pages; the ticket itself does not change. */
function follow(ctx: Context, ticket: Ticket, description: string): void {
  const shownOn = { of: Ticket, row: ticket };
  ctx.record({ action: 'update', entity_type: Ticket.name, entity_id: ticket.ticket_id, description, shownOn });
  announceChange(ctx, { of: Ticket, row: ticket, kind: 'changed', internal: true });
}
