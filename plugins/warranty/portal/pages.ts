// Portal page with the company's claims, generated from its declaration.
import { portalPart, signedIn } from '@keelson/core';

export default portalPart(import.meta.dirname, {
  lists: [
    {
      path: '/warranty',
      title: 'Warranty claims',
      access: signedIn,
      nav: { icon: 'shield', order: 60 },
      list: 'GET /warranty/claims',
      id: 'claim_id',
      columns: ['product', 'vendor', 'state', 'created_at'],
      filters: ['state'],
      empty: 'No warranty claims yet. Claims we file with vendors for you appear here.',
    },
  ],
});
