// Attachments of tickets and their comments. Files on an internal comment are internal (T-13).
import { attachments, signedIn } from '@keelson/core';
import { TicketComment } from './entities.ts';
import { ReadTickets, WriteTickets } from './permissions.ts';
import { lockSurvivor } from './related/merged-into.ts';
import { findTicket, findVisibleTicket, lockTicket, lockVisibleTicket, Tickets } from './ticket/tickets.ts';
import { publicComments } from './ticket/visible.ts';

export const TicketAttachments = attachments(Tickets, {
  company: (ticket) => ticket.company_number,
  call: (ticket) => ticket.ticket_number,
  parts: { table: TicketComment, record: 'ticket_id' },
  // Uploads to a merged ticket go to the surviving ticket, as comments do (T-16).
  admin: {
    path: '/tickets.php',
    read: ReadTickets,
    write: WriteTickets,
    find: findTicket,
    lock: async (ctx, id) => lockSurvivor(ctx, await lockTicket(ctx, id)),
  },
  helpdesk: {
    path: '/tickets',
    read: signedIn,
    write: signedIn,
    find: findVisibleTicket,
    lock: async (ctx, id) => lockSurvivor(ctx, await lockVisibleTicket(ctx, id)),
    parts: publicComments,
  },
});
