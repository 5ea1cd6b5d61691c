import { searchable } from '@keelson/core';
import ofInvoices from './invoices/search.ts';
import { Product } from './products/entities.ts';
import { Proposal } from './proposals/entities.ts';
import { Subscription } from './subscriptions/entities.ts';

// Searchable lists (P-26). Global search has types of its own and includes none of these.
export default [
  ...ofInvoices,
  searchable(Product, {
    name: ['name'],
    main: ['vendor', 'category'],
    more: ['description'],
    title: ({ name }) => name,
  }),
  searchable(Proposal, {
    name: ['title'],
    main: ['proposal_number'],
    more: ['description'],
    title: ({ title }) => title,
  }),
  searchable(Subscription, { name: ['name'], title: ({ name }) => name }),
];
