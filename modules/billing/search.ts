import { searchable, view } from '@keelson/core';
import { Company, CompanyNames } from '@keelson/modules/directory';
import { CreditNoteNoun } from './credits/credit-list.ts';
import { CreditNote } from './credits/entities.ts';
import ofInvoices from './invoices/search.ts';
import { ReadBilling } from './permissions.ts';
import { Product } from './products/entities.ts';
import { Proposal } from './proposals/entities.ts';
import { ProposalNoun } from './proposals/proposal-list.ts';
import { Subscription } from './subscriptions/entities.ts';

const FoundCreditNote = view(CreditNoteNoun, {
  only: ['credit_note_id', 'credit_note_number'],
  more: (its) => ({ company_name: its.name(CompanyNames, 'company_number') }),
});

const FoundProposal = view(ProposalNoun, {
  only: ['proposal_id', 'proposal_number', 'title', 'status'],
  more: (its) => ({ company_name: its.name(CompanyNames, 'company_number') }),
});

// Searchable lists (P-26); records with a number are in the global search, too.
export default [
  ...ofInvoices,
  searchable(CreditNote, {
    name: ['credit_note_number'],
    main: ['reason'],
    through: { company_number: Company },
    title: ({ credit_note_number }) => credit_note_number,
    found: { admin: { type: 'credit_notes', access: ReadBilling, view: FoundCreditNote, usual: true } },
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
    subtitle: ({ proposal_number, status }) => `${proposal_number}, ${status}`,
    found: { admin: { type: 'proposals', access: ReadBilling, view: FoundProposal, usual: true } },
  }),
  searchable(Subscription, { name: ['name'], title: ({ name }) => name }),
];
