// Renders a credit note as a PDF, like an invoice with negative amounts.
import type { Context } from '@keelson/core';
import { pdfPaper } from '@keelson/core/files';
import { dayInWords } from '@keelson/core/kit';
import type { FileAnswer } from '@keelson/core/plugin';
import { Invoice } from '../invoices/entities.ts';
import { columnsIn, letterhead, numberIn, taxFacts, taxOf, wordingFor } from '../invoices/pdf.ts';
import { formatterOf, fromParts, priceFormatterOf } from '../money.ts';
import { readCredited } from './credit-detail.ts';
import type { CreditNote } from './entities.ts';

export async function creditNotePdf(ctx: Context, note: CreditNote): Promise<FileAnswer> {
  const { credit_note_number, invoice_id, company_number, currency, issue_date, reason } = note;
  const invoice = await ctx.db.findOneBy(Invoice, { invoice_id });
  const { lines, taxes } = await readCredited(ctx, note);
  const wording = await wordingFor(ctx, company_number);
  const { t, language } = wording;
  const money = formatterOf(currency, language);
  const price = priceFormatterOf(currency, language);
  const mixed = taxes.length > 1;
  const body = await pdfPaper(ctx, {
    title: t('Credit note {number}', { number: credit_note_number }),
    ...(await letterhead(ctx, company_number, wording)),
    facts: [
      { label: t('Issue date'), value: dayInWords(issue_date, language) },
      { label: t('For invoice'), value: invoice?.invoice_number ?? '', strong: true },
      { label: t('Invoice date'), value: invoice ? dayInWords(invoice.issue_date, language) : '' },
    ],
    columns: columnsIn(wording),
    rows: lines.map((line) => [
      mixed ? `${line.description}\n${taxOf(wording, line.tax_ppm)}` : line.description,
      numberIn(wording, fromParts(line.quantity_parts)),
      price(line.unit_price),
      money(line.amount_minor),
    ]),
    sums: [
      { label: t('Subtotal'), value: money(note.subtotal_minor) },
      ...taxFacts(wording, { rates: taxes, money }),
      { label: t('Total'), value: money(note.total_minor), strong: true },
    ],
    notes: reason,
  });
  return { name: `${credit_note_number}.pdf`, type: 'application/pdf', body };
}
