import { consolePart } from '@keelson/core';
import { ReadTickets, WriteTickets } from '../permissions.ts';

export default consolePart(import.meta.dirname, {
  pages: [
    {
      path: '/tickets',
      title: 'Tickets',
      file: 'tickets',
      access: ReadTickets,
      nav: { section: 'work', icon: 'inbox', order: 20, key: 'g t' },
    },
    { path: '/tickets/new', title: 'New ticket', file: 'create-ticket', access: WriteTickets },
    { path: '/tickets/:quoted', title: 'Ticket', file: 'ticket-page', access: ReadTickets },
  ],
  panels: [
    { slot: 'home.card', title: 'My tickets', file: 'my-tickets-panel', access: ReadTickets, order: 3 },
    { slot: 'home.card', title: 'Dispatch', file: 'dispatch-panel', access: WriteTickets, order: 8 },
    { slot: 'company.main', title: 'Tickets', file: 'company-tickets-panel', access: ReadTickets, order: 10 },
    {
      slot: 'company.tab',
      title: 'Tickets',
      file: 'company-tickets-tab',
      access: ReadTickets,
      order: 20,
      total: { list: 'GET /tickets.php', where: { status: 'unresolved' } },
    },
    { slot: 'contact.side', title: 'Tickets', file: 'contact-tickets-panel', access: ReadTickets, order: 10 },
    { slot: 'asset.side', title: 'Tickets', file: 'asset-tickets-panel', access: ReadTickets, order: 10 },
  ],
  records: [
    {
      type: 'ticket',
      title: 'Ticket',
      path: '/tickets/:quoted',
      icon: 'inbox',
      access: ReadTickets,
      read: 'GET /tickets.php?id={id}',
      find: 'GET /tickets.php',
      name: 'ticket_number subject',
      id: 'ticket_id',
      search: 'tickets',
    },
  ],
});
