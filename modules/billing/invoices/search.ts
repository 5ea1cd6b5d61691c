import { listed, searchable, sql, type Context } from '@keelson/core';
import { Company } from '@keelson/modules/directory';
import { Invoice } from './entities.ts';

// What the list of invoices searches. Searching over everything has types of its own, and none of these.
export default [
  searchable(Invoice, {
    name: ['invoice_number'],
    main: ['notes'],
    texts: readLineTexts,
    through: { company_number: Company },
    facets: ['status'],
    title: ({ invoice_number }) => invoice_number,
  }),
];

/** Nobody searches for what stands further back in a line. */
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
