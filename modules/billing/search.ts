<<<<<<< HEAD
import { searchable, type Context } from '@keelson/core';
import { Company } from '@keelson/modules/directory';
import { Invoice, InvoiceLine } from './invoices/entities.ts';

// What the list of invoices searches. Searching over everything has types of its own, and none of these.
export default [
  searchable(Invoice, {
    name: ['invoice_number'],
    main: ['notes'],
    texts: readLineTexts,
    through: { company_number: Company },
    title: ({ invoice_number }) => invoice_number,
  }),
];

async function readLineTexts({ db }: Context, invoices: readonly Invoice[]) {
  const invoice_id = invoices.map((each) => each.invoice_id);
  const lines = invoice_id.length === 0 ? [] : await db.find(InvoiceLine, { invoice_id });
  const of = Map.groupBy(lines, (each) => each.invoice_id);
  return (invoice: Invoice) => ({ main: (of.get(invoice.invoice_id) ?? []).map(({ description }) => description) });
}
=======
import { searchable } from '@keelson/core';
import { Product } from './products/entities.ts';
import { Proposal } from './proposals/entities.ts';

// What lists search (P-26). Searching over everything has types of its own, and none of these.
export default [
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
];
>>>>>>> main
