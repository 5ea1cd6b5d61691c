// Renders an invoice as a PDF. Includes an uploaded logo; a logo on another server is not fetched.
import type { Context } from '@keelson/core';
import { pdfPaper, type PaperFact } from '@keelson/core/files';
import { dayInWords } from '@keelson/core/kit';
import type { FileAnswer, Wording } from '@keelson/core/plugin';
import { Company } from '@keelson/modules/directory';
import { readBranding, readLogo } from '@keelson/modules/system';
import { formatterOf, fromParts, fromRate, priceFormatterOf, toParts } from '../money.ts';
import type { Invoice } from './entities.ts';
import { balanceOf } from './invoice-list.ts';
import { rateOf, readLines, taxesOf, type RateSum, type StoredLine } from './lines.ts';

/** The columns of the lines. */
export const columnsIn = ({ t }: Wording) =>
  [
    { label: t('Description') },
    { label: t('Quantity'), numbers: true },
    { label: t('Unit price'), numbers: true },
    { label: t('Amount'), numbers: true },
  ] as const;

/** Returns the texts in the language of a company's documents. */
export const wordingFor = async (ctx: Context, company_number: number): Promise<Wording> =>
  ctx.app.wording(await ctx.app.languageOf(ctx, { company_number }));

/** Formats quantities and rates: `1.5`, `1,5` in German. */
export const numberIn = ({ language }: Wording, value: number): string =>
  new Intl.NumberFormat(language, { maximumFractionDigits: 10, useGrouping: false }).format(value);

export async function invoicePdf(ctx: Context, invoice: Invoice): Promise<FileAnswer> {
  const { invoice_id, invoice_number, company_number, issue_date, due_date, status, notes } = invoice;
  const lines = await readLines(ctx, invoice_id);
  const wording = await wordingFor(ctx, company_number);
  const { t, language } = wording;
  const money = formatterOf(invoice.currency, language);
  const price = priceFormatterOf(invoice.currency, language);
  const taxes = taxesOf(lines, invoice);
  const title = t('Invoice {number}', { number: invoice_number });
  const body = await pdfPaper(ctx, {
    title,
    ...(await letterhead(ctx, company_number, wording)),
    facts: [
      { label: t('Issue date'), value: dayInWords(issue_date, language) },
      { label: t('Due date'), value: dayInWords(due_date, language), strong: true },
      { label: t('Status'), value: t(`${status.charAt(0).toUpperCase()}${status.slice(1)}`) },
    ],
    columns: columnsIn(wording),
    rows: lines.map((line) => [
      describe(wording, line, { tax_ppm: rateOf(line, invoice), mixed: taxes.length > 1 }),
      numberIn(wording, fromParts(line.quantity_parts)),
      price(line.unit_price),
      money(line.amount_minor),
    ]),
    sums: sumsOf(wording, invoice, { rates: taxes, money }),
    notes,
  });
  return { name: `${invoice_number}.pdf`, type: 'application/pdf', body };
}

/** Returns the sender and the company as the recipient. */
export async function letterhead(ctx: Context, company_number: number, { t }: Wording) {
  const brand = await readBranding(ctx);
  const logo = await readLogo(ctx);
  const company = await ctx.db.findOneBy(Company, { company_number });
  return {
    from: brand.company_name,
    ...(logo && { logo: logo.image }),
    colour: brand.colors.primary_color,
    pageOf: t('Page {page} of', { page: '{page}' }),
    to: { label: t('Bill to'), lines: company ? addressOf(company) : [] },
  };
}

function addressOf({ customer, address, zip, city, state, country }: typeof Company.Row): string[] {
  const place = [zip, city, state].filter((each) => each !== '').join(' ');
  return [customer, address, place, country].filter((each) => each !== '');
}

/** Returns the description of a line, with its source below. */
function describe(
  wording: Wording,
  line: StoredLine,
  { tax_ppm, mixed }: { readonly tax_ppm: number; readonly mixed: boolean },
): string {
  const { t } = wording;
  const { length: count } = line.time_entry_ids;
  const covered = line.covered_minutes ?? 0;
  const hours = (minutes: number) => numberIn(wording, fromParts(toParts(minutes / 60)));
  const made = [
    count > 0 ? t('Hours worked, in {count, plural, one {# time entry} other {# time entries}}', { count }) : '',
    covered < 0 ? t('{hours} h credited to the contract', { hours: hours(-covered) }) : '',
    covered > 0
      ? t('{worked} h worked, {covered} h included in the contract', {
          worked: hours(line.worked_minutes ?? 0),
          covered: hours(covered),
        })
      : '',
    mixed ? taxOf(wording, tax_ppm) : '',
  ];
  return [line.description, ...made.filter((each) => each !== '')].join('\n');
}

/** Describes the tax of a line. */
export const taxOf = (wording: Wording, tax_ppm: number): string =>
  tax_ppm > 0 ? wording.t('Tax {rate}%', { rate: numberIn(wording, fromRate(tax_ppm)) }) : wording.t('No tax');

interface Sums {
  readonly rates: readonly RateSum[];
  readonly money: (minor: number) => string;
}

/** Returns the tax for each rate above 0. */
export function taxFacts(wording: Wording, { rates, money }: Sums): PaperFact[] {
  return rates
    .filter(({ tax_ppm }) => tax_ppm > 0)
    .map(({ tax_ppm, subtotal_minor, tax_minor }) => {
      const rate = numberIn(wording, fromRate(tax_ppm));
      const label =
        rates.length > 1
          ? wording.t('Tax {rate}% on {amount}', { rate, amount: money(subtotal_minor) })
          : wording.t('Tax {rate}%', { rate });
      return { label, value: money(tax_minor) };
    });
}

function sumsOf(wording: Wording, invoice: Invoice, sums: Sums) {
  const { subtotal_minor, total_minor, paid_minor, credited_minor } = invoice;
  const { t } = wording;
  const { money } = sums;
  const paid = { label: t('Paid'), value: money(-paid_minor) };
  return [
    { label: t('Subtotal'), value: money(subtotal_minor) },
    ...taxFacts(wording, sums),
    { label: t('Total'), value: money(total_minor), strong: true },
    ...(paid_minor > 0 ? [paid] : []),
    ...(credited_minor > 0 ? [{ label: t('Credited'), value: money(-credited_minor) }] : []),
    { label: t('Balance due'), value: money(balanceOf(invoice)), strong: true },
  ];
}
