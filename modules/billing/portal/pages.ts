import { portalPart } from '@keelson/core';
import { seesBilling } from '@keelson/core/surfaces';

const access = seesBilling;

export default portalPart(import.meta.dirname, {
  pages: [
    { path: '/billing', title: 'Billing', file: 'billing', access, nav: { icon: 'receipt', order: 50 } },
    { path: '/billing/invoices/:id', title: 'Invoice', file: 'invoice', access },
    { path: '/billing/credit-notes/:id', title: 'Credit note', file: 'credit-note', access },
    { path: '/billing/proposals/:id', title: 'Proposal', file: 'proposal', access },
  ],
  records: [
    {
      type: 'invoice',
      title: 'Invoice',
      path: '/billing/invoices/:id',
      icon: 'receipt',
      access,
      read: 'GET /billing/invoices/{id}',
      find: 'GET /billing/invoices',
      name: 'invoice_number',
      id: 'invoice_id',
    },
    {
      type: 'credit_note',
      title: 'Credit note',
      path: '/billing/credit-notes/:id',
      icon: 'undo',
      access,
      read: 'GET /billing/credit-notes/{id}',
      find: 'GET /billing/credit-notes',
      name: 'credit_note_number',
      id: 'credit_note_id',
    },
    {
      type: 'proposal',
      title: 'Proposal',
      path: '/billing/proposals/:id',
      icon: 'file',
      access,
      read: 'GET /billing/proposals/{id}',
      find: 'GET /billing/proposals',
      name: 'proposal_number',
      id: 'proposal_id',
    },
  ],
});
