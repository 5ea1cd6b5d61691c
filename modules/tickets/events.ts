import { event, z } from '@keelson/core';
import { TicketItem } from './shapes.ts';

export const TicketCreated = event('ticket.created', TicketItem, { webhook: 'admin' });
export const TicketUpdated = event('ticket.updated', TicketItem, { webhook: 'admin' });
export const TicketClosed = event('ticket.closed', TicketItem, { webhook: 'admin' });
/** A technician has it now, from the start or by a change (EV-18). */
export const TicketAssigned = event('ticket.assigned', TicketItem, { webhook: 'admin' });

/** Something people are told by mail (notices.ts); written only when there is somebody to tell. */
export const TicketNotice = event(
  'tickets.notice',
  z.object({
    kind: z.enum(['created', 'closed', 'commented', 'approval']),
    ticket_id: z.int(),
    author_name: z.string(),
    comment: z.string(),
  }),
);
