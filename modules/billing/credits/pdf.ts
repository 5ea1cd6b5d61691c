// Renders a credit note as a PDF, like an invoice with negative amounts.
import type { Context } from '@keelson/core';
import { pdfPaper } from '@keelson/core/files';
import { dayInWords } from '@keelson/core/kit';
import type { FileAnswer } from '@keelson/core/plugin';
import { Invoice } from '../invoices/entities.ts';
import { columns, letterhead, taxFacts } from '../invoices/pdf.ts';
import { formatterOf, fromParts, fromRate, priceFormatterOf } from '../money.ts';
import { readCredited } from './credit-detail.ts';
import type { CreditNote } from './entities.ts';

export async function creditNotePdf(ctx: Context, note: CreditNote): Promise<FileAnswer> {
  const { credit_note_number, invoice_id, company_number, currency, issue_date, reason } = note;
  const invoice = await ctx.db.findOneBy(Invoice, { invoice_id });
  const { lines, taxes } = await readCredited(ctx, note);
  const money = formatterOf(currency);
  const price = priceFormatterOf(currency);
  const mixed = taxes.length > 1;
  const body = await pdfPaper(ctx, {
    title: `Credit note ${credit_note_number}`,
    ...(await letterhead(ctx, company_number)),
    facts: [
      { label: 'Issue date', value: dayInWords(issue_date) },
      { label: 'For invoice', value: invoice?.invoice_number ?? '', strong: true },
      { label: 'Invoice date', value: invoice ? dayInWords(invoice.issue_date) : '' },
    ],
    columns,
    rows: lines.map((line) => [
      mixed ? `${line.description}\n${taxOf(line.tax_ppm)}` : line.description,
      String(fromParts(line.quantity_parts)),
      price(line.unit_price),
      money(line.amount_minor),
    ]),
    sums: [
      { label: 'Subtotal', value: money(note.subtotal_minor) },
      ...taxFacts(taxes, money),
      { label: 'Total', value: money(note.total_minor), strong: true },
    ],
    notes: reason,
  });
  return { name: `${credit_note_number}.pdf`, type: 'application/pdf', body };
}

const taxOf = (tax_ppm: number): string => (tax_ppm > 0 ? `Tax ${fromRate(tax_ppm)} %` : 'Without tax');
