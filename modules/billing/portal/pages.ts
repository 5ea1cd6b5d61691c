import { portalPart } from '@keelson/core';
import { seesBilling } from '@keelson/core/surfaces';

const access = seesBilling;

export default portalPart(import.meta.dirname, {
  pages: [
    { path: '/billing', title: 'Billing', file: 'billing', access, nav: { icon: 'receipt', order: 50 } },
    { path: '/billing/invoices/:id', title: 'Invoice', file: 'invoice', access },
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
