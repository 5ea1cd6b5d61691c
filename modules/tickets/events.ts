import { event, z, type EventRecord } from '@keelson/core';
import { forStaff, readTicketNames } from './names.ts';
import { toTicketItem } from './present.ts';
import { TicketItem } from './shapes.ts';
import { findTicket } from './tickets.ts';

const record: EventRecord<TicketItem> = {
  type: 'ticket',
  async read(ctx, id) {
    const ticket = await findTicket(ctx, id);
    return toTicketItem(ticket, (await readTicketNames(ctx, [ticket], forStaff))(ticket));
  },
};
const ofTicket = { webhook: 'admin', record } as const;

export const TicketCreated = event('ticket.created', TicketItem, ofTicket);
export const TicketUpdated = event('ticket.updated', TicketItem, ofTicket);
export const TicketClosed = event('ticket.closed', TicketItem, ofTicket);
/** A technician has it now, from the start or by a change (EV-18). */
export const TicketAssigned = event('ticket.assigned', TicketItem, ofTicket);

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
