import { manager, portalPart, signedIn, ticketCreator } from '@keelson/core';

export default portalPart(import.meta.dirname, {
  pages: [
    { path: '/tickets', title: 'Tickets', file: 'tickets', access: signedIn, nav: { icon: 'inbox', order: 10 } },
    { path: '/tickets/new', title: 'New ticket', file: 'create-ticket', access: ticketCreator },
    { path: '/tickets/:quoted', title: 'Ticket', file: 'ticket', access: signedIn },
    { path: '/approvals', title: 'Approvals', file: 'approvals', access: manager, nav: { icon: 'check', order: 20 } },
  ],
  panels: [
    { slot: 'portal.home', title: 'Waiting for your approval', file: 'approvals-panel', access: manager, order: 20 },
    { slot: 'portal.home', title: 'Your tickets', file: 'my-tickets-panel', access: signedIn, order: 40 },
  ],
  records: [
    {
      type: 'ticket',
      title: 'Ticket',
      path: '/tickets/:quoted',
      icon: 'inbox',
      access: signedIn,
      read: 'GET /tickets/{id}',
      find: 'GET /tickets/search',
      name: 'ticket_number subject',
      id: 'ticket_id',
      search: 'tickets',
    },
  ],
});
