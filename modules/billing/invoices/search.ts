import { listed, searchable, sql, view, type Context } from '@keelson/core';
import { Company, CompanyNames } from '@keelson/modules/directory';
import { ReadBilling } from '../permissions.ts';
import { Invoice } from './entities.ts';
import { InvoiceNoun } from './invoice-list.ts';

const FoundInvoice = view(InvoiceNoun, {
  only: ['invoice_id', 'invoice_number', 'status'],
  more: (its) => ({ company_name: its.name(CompanyNames, 'company_number') }),
});

export default [
  searchable(Invoice, {
    name: ['invoice_number'],
    main: ['notes'],
    texts: readLineTexts,
    through: { company_number: Company },
    facets: ['status'],
    title: ({ invoice_number }) => invoice_number,
    found: { admin: { type: 'invoices', access: ReadBilling, view: FoundInvoice, usual: true } },
  }),
];

/** Only the beginning of a line's text is indexed. */
const OF_A_LINE = 500;

async function readLineTexts({ db }: Context, invoices: readonly Invoice[]) {
  const ids = invoices.map((each) => each.invoice_id);
  const lines = await db.query<{ invoice_id: number; description: string }>(
    sql`SELECT invoice_id, SUBSTR(description, 1, ${OF_A_LINE}) AS description FROM invoice_line
      WHERE invoice_id IN ${listed(ids)}`,
  );
  const of = Map.groupBy(lines, (each) => Number(each.invoice_id));
  return (invoice: Invoice) => ({ main: (of.get(invoice.invoice_id) ?? []).map(({ description }) => description) });
}
