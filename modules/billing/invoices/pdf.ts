// Renders an invoice as a PDF. Includes an uploaded logo; a logo on another server is not fetched.
import type { Context } from '@keelson/core';
import { pdfPaper, type PaperFact } from '@keelson/core/files';
import { dayInWords } from '@keelson/core/kit';
import type { FileAnswer } from '@keelson/core/plugin';
import { Company } from '@keelson/modules/directory';
import { readBranding, readLogo } from '@keelson/modules/system';
import { formatterOf, fromParts, fromRate, priceFormatterOf, toParts } from '../money.ts';
import type { Invoice } from './entities.ts';
import { balanceOf } from './invoice-list.ts';
import { rateOf, readLines, taxesOf, type RateSum, type StoredLine } from './lines.ts';

/** The columns of the lines. */
export const columns = [
  { label: 'Description' },
  { label: 'Quantity', numbers: true },
  { label: 'Unit price', numbers: true },
  { label: 'Amount', numbers: true },
] as const;

export async function invoicePdf(ctx: Context, invoice: Invoice): Promise<FileAnswer> {
  const { invoice_id, invoice_number, company_number, issue_date, due_date, status, notes } = invoice;
  const lines = await readLines(ctx, invoice_id);
  const money = formatterOf(invoice.currency);
  const price = priceFormatterOf(invoice.currency);
  const taxes = taxesOf(lines, invoice);
  const title = `Invoice ${invoice_number}`;
  const body = await pdfPaper(ctx, {
    title,
    ...(await letterhead(ctx, company_number)),
    facts: [
      { label: 'Issue date', value: dayInWords(issue_date) },
      { label: 'Due date', value: dayInWords(due_date), strong: true },
      { label: 'Status', value: `${status.charAt(0).toUpperCase()}${status.slice(1)}` },
    ],
    columns,
    rows: lines.map((line) => [
      describe(line, rateOf(line, invoice), taxes.length > 1),
      String(fromParts(line.quantity_parts)),
      price(line.unit_price),
      money(line.amount_minor),
    ]),
    sums: sumsOf(invoice, taxes, money),
    notes,
  });
  return { name: `${invoice_number}.pdf`, type: 'application/pdf', body };
}

/** Returns the sender and the company as the recipient. */
export async function letterhead(ctx: Context, company_number: number) {
  const brand = await readBranding(ctx);
  const logo = await readLogo(ctx);
  const company = await ctx.db.findOneBy(Company, { company_number });
  return {
    from: brand.company_name,
    ...(logo && { logo: logo.image }),
    colour: brand.colors.primary_color,
    to: { label: 'Bill to', lines: company ? addressOf(company) : [] },
  };
}

function addressOf({ customer, address, zip, city, state, country }: typeof Company.Row): string[] {
  const place = [zip, city, state].filter((each) => each !== '').join(' ');
  return [customer, address, place, country].filter((each) => each !== '');
}

/** Returns the description of a line, with its source below. */
function describe(line: StoredLine, tax_ppm: number, mixed: boolean): string {
  const { length } = line.time_entry_ids;
  const covered = line.covered_minutes ?? 0;
  const made = [
    length > 0 ? `Hours worked, in ${length === 1 ? '1 time entry' : `${length} time entries`}` : '',
    covered < 0 ? `${hours(-covered)} credited to the contract` : '',
    covered > 0 ? `${hours(line.worked_minutes ?? 0)} worked, ${hours(covered)} included in the contract` : '',
    line.period_start !== null && line.period_end !== null ? `${line.period_start} to ${line.period_end}` : '',
    mixed ? (tax_ppm > 0 ? `Tax ${fromRate(tax_ppm)} %` : 'No tax') : '',
  ];
  return [line.description, ...made.filter((each) => each !== '')].join('\n');
}

const hours = (minutes: number): string => `${fromParts(toParts(minutes / 60))} h`;

/** Returns the tax for each rate above 0. */
export function taxFacts(rates: readonly RateSum[], money: (minor: number) => string): PaperFact[] {
  return rates
    .filter(({ tax_ppm }) => tax_ppm > 0)
    .map((each) => ({
      label: `Tax ${fromRate(each.tax_ppm)} %${rates.length > 1 ? ` on ${money(each.subtotal_minor)}` : ''}`,
      value: money(each.tax_minor),
    }));
}

function sumsOf(invoice: Invoice, rates: readonly RateSum[], money: (minor: number) => string) {
  const { subtotal_minor, total_minor, paid_minor, credited_minor } = invoice;
  const paid = { label: 'Paid', value: money(-paid_minor) };
  return [
    { label: 'Subtotal', value: money(subtotal_minor) },
    ...taxFacts(rates, money),
    { label: 'Total', value: money(total_minor), strong: true },
    ...(paid_minor > 0 ? [paid] : []),
    ...(credited_minor > 0 ? [{ label: 'Credited', value: money(-credited_minor) }] : []),
    { label: 'Balance due', value: money(balanceOf(invoice)), strong: true },
  ];
}
