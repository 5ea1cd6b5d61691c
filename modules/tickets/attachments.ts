// Attachments of tickets and of their comments. An internal comment's file is internal (T-13).
import { attachments, signedIn } from '@keelson/core';
import { TicketComment } from './entities.ts';
import { ReadTickets, WriteTickets } from './permissions.ts';
import { findTicket, findVisibleTicket, lockTicket, lockVisibleTicket, Tickets } from './tickets.ts';
import { publicComments } from './visible.ts';

export const TicketAttachments = attachments(Tickets, {
  company: (ticket) => ticket.company_number,
  call: (ticket) => ticket.ticket_number,
  parts: { table: TicketComment, record: 'ticket_id' },
  admin: { path: '/tickets.php', read: ReadTickets, write: WriteTickets, find: findTicket, lock: lockTicket },
  helpdesk: {
    path: '/tickets',
    read: signedIn,
    write: signedIn,
    find: findVisibleTicket,
    lock: (ctx, id) => lockVisibleTicket(ctx, id),
    parts: publicComments,
  },
});
