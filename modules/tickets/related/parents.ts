// Parent and child tickets (T-45): one level, within a company.
import {
  changeAll,
  conflict,
  invalid,
  is,
  IsNull,
  lockAll,
  Not,
  pageOf,
  view,
  z,
  type Context,
  type EmployeeActor,
} from '@keelson/core';
import { TechnicianNames } from '@keelson/modules/directory';
import { Ticket } from '../entities.ts';
import { refusedClosings } from '../ticket/closing.ts';
import { TicketNoun } from '../ticket/list.ts';
import { Tickets } from '../ticket/tickets.ts';
import { visibleTickets } from '../ticket/visible.ts';

/** Maximum number of children. */
const MOST_CHILDREN = 100;

type Linked = Pick<Ticket, 'company_number'> & { readonly ticket_id?: number };

/**
 * Checks that a ticket may become a child, and locks its parent.
 * @throws invalid() unless the parent is a ticket of the company that is not itself a child; conflict() if it is full
 */
export async function checkParent(ctx: Context, ticket: Linked, parent_id: number | null | undefined): Promise<void> {
  if (parent_id === null || parent_id === undefined) return;
  const { ticket_id, company_number } = ticket;
  if (parent_id === ticket_id) throw invalid('parent_id must be a different ticket');
  const [parent] = await lockAll(ctx, Tickets, [parent_id]);
  if (parent?.company_number !== company_number) throw invalid('parent_id must be a ticket of the same company');
  if (parent.parent_id !== null) throw invalid('parent_id must not be a child ticket itself');
  const childOf = (id: number) => ({ parent_id: id, deleted_at: IsNull() });
  if (ticket_id !== undefined && (await ctx.db.existsBy(Ticket, childOf(ticket_id))))
    throw invalid('parent_id cannot be set: the ticket has child tickets');
  if ((await ctx.db.countBy(Ticket, childOf(parent_id))) >= MOST_CHILDREN)
    throw conflict(`A ticket can have at most ${MOST_CHILDREN} child tickets`);
}

/** Closes the open children of a ticket that is about to be closed. @throws conflict() if one must stay open */
export async function closeChildren(ctx: Context, { ticket_id }: Ticket): Promise<void> {
  const open = await ctx.db.findBy(Ticket, { parent_id: ticket_id, status: Not('closed'), deleted_at: IsNull() });
  const children = await lockAll(
    ctx,
    Tickets,
    open.map((each) => each.ticket_id),
  );
  const refused = await refusedClosings(ctx, children, 'closed');
  for (const child of children) {
    const why = refused.get(child.ticket_id);
    if (why !== undefined) throw conflict(`Child ticket ${child.ticket_number} must stay open: ${why}`);
  }
  await changeAll(ctx, Tickets, children, { status: 'closed' });
}

/** Moves the parent and children of a merged ticket to the target, as far as a single level allows. */
export async function mergeFamily(ctx: Context, from: Ticket, into: Ticket): Promise<Ticket['parent_id']> {
  const children = await ctx.db.findBy(Ticket, { parent_id: from.ticket_id, deleted_at: IsNull() });
  const leads = children.some(({ ticket_id }) => ticket_id === into.ticket_id);
  const above = leads ? null : into.parent_id;
  const others = children.filter(({ ticket_id }) => ticket_id !== into.ticket_id);
  await changeAll(ctx, Tickets, others, { parent_id: above ?? into.ticket_id });
  if (above !== null || from.parent_id === null || from.parent_id === into.ticket_id) return above;
  const hasChildren = await ctx.db.existsBy(Ticket, { parent_id: into.ticket_id, deleted_at: IsNull() });
  return hasChildren ? null : from.parent_id;
}

const Related = view(TicketNoun, {
  only: ['ticket_id', 'ticket_number', 'subject', 'status', 'due_date', 'assigned_to'],
  more: (its) => ({ assigned_name: its.name(TechnicianNames, 'assigned_to') }),
});
/** A related ticket as customers see it; only those they may open. */
const PortalRelated = view(TicketNoun, {
  only: ['ticket_id', 'ticket_number', 'subject', 'status'],
  visible: (ctx: Context<EmployeeActor>) => visibleTickets(ctx, 'seen'),
});

/** The related tickets shown in a ticket's detail. */
export const family = { parent: Related.shape.nullable(), children: z.array(Related.shape) };
export const portalFamily = { parent: PortalRelated.shape.nullable(), children: z.array(PortalRelated.shape) };

const inOrder = { sort: 'ticket_id', order: 'asc', page: 1, size: MOST_CHILDREN } as const;

type Read<R> = (where: ReturnType<typeof is>) => Promise<{ readonly rows: readonly R[] }>;

async function readRelated<R>({ ticket_id, parent_id }: Ticket, read: Read<R>) {
  const parent = parent_id === null ? undefined : (await read(is('ticket_id', parent_id))).rows[0];
  return { parent: parent ?? null, children: [...(await read(is('parent_id', ticket_id))).rows] };
}

export const readFamily = (ctx: Context, ticket: Ticket) =>
  readRelated(ticket, (where) => pageOf(ctx, Related, inOrder, { where: [where] }));

/** Returns the parent and children of a ticket that the signed-in person may see. */
export const readPortalFamily = (ctx: Context<EmployeeActor>, ticket: Ticket) =>
  readRelated(ticket, (where) => pageOf(ctx, PortalRelated, inOrder, { where: [where] }));
