import { searchable } from '@keelson/core';
import { Company } from '@keelson/modules/directory';
import { CreditNote } from './credits/entities.ts';
import ofInvoices from './invoices/search.ts';
import { Product } from './products/entities.ts';
import { Proposal } from './proposals/entities.ts';
import { Subscription } from './subscriptions/entities.ts';

// Searchable lists (P-26). Global search has its own types, which do not include these.
export default [
  ...ofInvoices,
  searchable(CreditNote, {
    name: ['credit_note_number'],
    main: ['reason'],
    through: { company_number: Company },
    title: ({ credit_note_number }) => credit_note_number,
  }),
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
