// Tasks: the open checklist items of a technician.
import { In, invalid, IsNull, Not, z, type Context } from '@keelson/core';
import { Ticket } from '@keelson/modules/tickets';
import { TicketChecklistItem } from './entities.ts';

export const Task = z.object({
  item_id: z.int(),
  title: z.string(),
  required: z.boolean(),
  due_date: z.iso.date().nullable(),
  ticket_id: z.int(),
  ticket_number: z.int(),
  ticket_subject: z.string(),
});

/** Maximum number of tasks returned. */
const MOST_TASKS = 200;
/** Items per query. */
const AT_ONCE = 500;

/**
 * Returns the open tasks of a technician in open tickets, earliest due first; defaults to the caller. A key has none.
 * @throws invalid() for `me` with an API key
 */
export async function readTasks(
  { db, author }: Context,
  asked: number | 'me' | undefined,
): Promise<z.infer<typeof Task>[]> {
  const assigned_to = typeof asked !== 'number' ? (author.type === 'technician' ? author.id : null) : asked;
  if (assigned_to === null && asked === undefined) return [];
  if (assigned_to === null) throw invalid('assigned_to=me requires a technician session');
  const tasks: z.infer<typeof Task>[] = [];
  for await (const items of openItems(db, assigned_to)) {
    tasks.push(...(await tasksOf(db, items)));
    if (tasks.length >= MOST_TASKS) break;
  }
  return tasks.slice(0, MOST_TASKS);
}

/** Yields the open items of a technician, those due first, and those without a due date last. */
async function* openItems(db: Context['db'], assigned_to: number): AsyncIterable<TicketChecklistItem[]> {
  const order = { due_date: 'ASC', item_id: 'ASC' } as const;
  for (const due_date of [Not(IsNull()), IsNull()])
    for (let skip = 0; ; skip += AT_ONCE) {
      const where = { assigned_to, done_at: IsNull(), due_date };
      const items = await db.find(TicketChecklistItem, { where, order, take: AT_ONCE, skip });
      yield items;
      if (items.length < AT_ONCE) break;
    }
}

/** Returns the items of open tickets: closed ones keep theirs. */
async function tasksOf(db: Context['db'], items: readonly TicketChecklistItem[]): Promise<z.infer<typeof Task>[]> {
  const ticket_id = In([...new Set(items.map((each) => each.ticket_id))]);
  const tickets = await db.findBy(Ticket, { ticket_id, status: Not('closed'), deleted_at: IsNull() });
  const ticketOf = new Map(tickets.map((each) => [each.ticket_id, each]));
  return items.flatMap(({ item_id, title, required, due_date, ticket_id: id }) => {
    const ticket = ticketOf.get(id);
    if (!ticket) return [];
    const { ticket_number, subject: ticket_subject } = ticket;
    return [{ item_id, title, required, due_date, ticket_id: id, ticket_number, ticket_subject }];
  });
}
