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
  const order = { due_date: 'ASC', item_id: 'ASC' } as const;
  const items = await db.find(TicketChecklistItem, {
    where: { assigned_to, done_at: IsNull() },
    order,
    take: MOST_TASKS,
  });
  const ticket_id = In([...new Set(items.map((each) => each.ticket_id))]);
  const tickets = await db.findBy(Ticket, { ticket_id, status: Not('closed'), deleted_at: IsNull() });
  const ticketOf = new Map(tickets.map((each) => [each.ticket_id, each]));
  const tasks = items.flatMap(({ item_id, title, required, due_date, ticket_id: id }) => {
    const ticket = ticketOf.get(id);
    if (!ticket) return [];
    const { ticket_number, subject: ticket_subject } = ticket;
    return [{ item_id, title, required, due_date, ticket_id: id, ticket_number, ticket_subject }];
  });
  // Tasks without a due date come last.
  return [...tasks.filter((each) => each.due_date !== null), ...tasks.filter((each) => each.due_date === null)];
}
