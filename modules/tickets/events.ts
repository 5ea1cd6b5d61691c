import { event, eventData, findOr404, z, type EventRecord } from '@keelson/core';
import { TicketItem, TicketNoun } from './list.ts';

const record: EventRecord<TicketItem> = {
  type: 'ticket',
  read: async (ctx, id) => eventData(ctx, TicketItem, await findOr404(ctx, TicketNoun, id)),
};
const ofTicket = { webhook: 'admin', record } as const;

export const TicketCreated = event('ticket.created', TicketItem.shape, ofTicket);
export const TicketUpdated = event('ticket.updated', TicketItem.shape, ofTicket);
export const TicketClosed = event('ticket.closed', TicketItem.shape, ofTicket);
/** Emitted when a technician is assigned, at creation or later (EV-18). */
export const TicketAssigned = event('ticket.assigned', TicketItem.shape, ofTicket);

/** The provider has commented publicly on a ticket that came from a chat. */
export const TicketCommented = event('tickets.commented', z.object({ ticket_id: z.int() }));

/** A mail that is due to somebody (notices.ts). */
export const TicketNotice = event(
  'tickets.notice',
  z.object({
    kind: z.enum(['created', 'closed', 'commented', 'approval']),
    ticket_id: z.int(),
    author_name: z.string(),
    comment: z.string(),
  }),
);
