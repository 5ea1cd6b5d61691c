// What happens to checklists when tickets are created from a template, merged or closed.
import { In, IsNull, invalid, type Context } from '@keelson/core';
import type { Closing, FromTemplate, Merge } from '@keelson/modules/tickets';
import { TicketTemplate } from '../templates/entities.ts';
import { addNew } from './checklist.ts';
import { TicketChecklistItem } from './entities.ts';

/** Adds the checklist of a template to a new ticket. @throws invalid() if there is no such template */
export async function addFromTemplate(ctx: Context, { ticket, template_id }: FromTemplate): Promise<void> {
  const template = await ctx.db.findOneBy(TicketTemplate, { template_id, deleted_at: IsNull() });
  if (!template) throw invalid('template_id must be an existing ticket template');
  addNew(ctx, ticket, template.checklist);
}

/** Moves the checklist of a merged ticket to the end of the target's, because the work still has to be done. */
export async function moveChecklist({ db }: Context, { from, into }: Merge): Promise<void> {
  const order = { position: 'DESC', item_id: 'DESC' } as const;
  const last = await db.findOne(TicketChecklistItem, { where: { ticket_id: into.ticket_id }, order });
  const moved = await db.find(TicketChecklistItem, { where: { ticket_id: from.ticket_id } });
  for (const { item_id, position } of moved)
    await db.update(
      TicketChecklistItem,
      { item_id },
      { ticket_id: into.ticket_id, position: (last?.position ?? 0) + position },
    );
}

/** Refuses to close tickets with open required items. Customers do not learn what they are. */
export async function refuseUnfinished(ctx: Context, { tickets, refuse }: Closing): Promise<void> {
  const ticket_id = In(tickets.map((each) => each.ticket_id));
  const where = { ticket_id, required: true, done_at: IsNull() };
  const open = await ctx.db.find(TicketChecklistItem, { where, order: { position: 'ASC', item_id: 'ASC' } });
  for (const [id, items] of Map.groupBy(open, (each) => each.ticket_id))
    refuse(
      id,
      ctx.author.type === 'employee' || ctx.author.type === 'assistant'
        ? 'This ticket has open work that must be completed before it can be closed'
        : `Complete the required checklist items before closing the ticket: ${listed(items)}`,
    );
}

/** Maximum number of items named in an error. */
const MOST_NAMED = 5;

function listed(items: readonly TicketChecklistItem[]): string {
  const named = items.slice(0, MOST_NAMED).map(({ title }) => `“${title}”`);
  const more = items.length - named.length;
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
}
