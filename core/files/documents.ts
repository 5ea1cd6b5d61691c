// Documents as responses: each is created in its caller's queue slot (pdf-turn.ts), with the product's name, fonts and
// time zone.
import { Readable } from 'node:stream';
import {
  makePdfList,
  makePdfPaper,
  makeXlsx,
  TookTooLong,
  type ListWords,
  type MadeFile,
  type PdfList,
  type PdfPaper,
  type XlsxList,
} from '@keelson/files';
import { decimalsOf, MINOR_PARTS, moneyInWords } from '@keelson/kit/money.ts';
import { unavailable } from '@keelson/kit/problem.ts';
import type { Translate } from '@keelson/words';
import { labelOf } from '@keelson/words/labels';
import type { Context } from '../plugin/context.ts';
import { callerWording, hasOwnWords } from '../plugin/setting/caller-wording.ts';
import { readCurrency } from '../plugin/setting/currency.ts';
import { reportUndrawn } from '../plugin/troubles.ts';
import { inPdfTurn } from './pdf-turn.ts';

/**
 * Creates a PDF table of a list, A4 landscape, with the header on every page. Choices, dates and the document's own
 * words are in the caller's language; headings must be already. Resolves when complete, so that no error can occur after
 * the response headers are sent. The texts of all rows are held in memory, so callers must limit them (X-15: 10,000).
 * @throws tooMany() when too many documents are queued; unavailable() when it takes too long
 */
export async function pdfStream(ctx: Context, list: PdfList): Promise<Readable> {
  const { fontsDir } = ctx.app.config;
  const { company_name: author } = await ctx.app.mail.brand(ctx);
  const zone = ctx.app.zone.name;
  const { t, language } = await callerWording(ctx);
  const words: ListWords = {
    language,
    yes: t('Yes'),
    no: t('No'),
    noFilter: t('No filter'),
    row: t('1 row'),
    rows: t('{count} rows', { count: '{count}' }),
    times: t('Times in {zone}', { zone }),
    pageOf: t('Page {page} of', { page: '{page}' }),
  };
  const home = await readCurrency(ctx);
  const amount = (value: unknown, currency: unknown) =>
    typeof value === 'number'
      ? moneyInWords(value * MINOR_PARTS, typeof currency === 'string' ? currency : home, language)
      : value;
  return made(ctx, () => makePdfList(spoken(list, t, amount), { author, createdAt: ctx.now, fontsDir, zone, words }));
}

type Amount = (value: unknown, currency: unknown) => unknown;

/** Returns a choice as people read it. */
const spokenChoice = (value: unknown, t: Translate): unknown => (typeof value === 'string' ? t(labelOf(value)) : value);

/** Replaces choices by their translations, numbers by what they mean, and amounts by how they are written. */
async function* spokenRows({ columns, rows }: XlsxList, t: Translate, amount: Amount): XlsxList['rows'] {
  const changed = columns.filter(({ kind, labels }) => kind === 'choice' || kind === 'money' || labels);
  for await (const batch of rows) {
    yield batch.map((row) => {
      const values = changed.map(({ key, kind, labels }) => {
        const value = kind === 'money' ? amount(row[key], row['currency']) : spokenChoice(row[key], t);
        return [key, labels?.[Number(row[key])] ?? value] as const;
      });
      return { ...row, ...Object.fromEntries(values) };
    });
  }
}

function spoken(list: PdfList, t: Translate, amount: Amount): PdfList {
  return {
    ...list,
    filters: list.filters.map(({ label, value, kind }) =>
      kind === 'choice' ? { label, value: spokenChoice(value, t) } : { label, value, ...(kind && { kind }) },
    ),
    columns: list.columns.map(({ key, label, kind }) => ({
      key,
      label,
      ...((kind === 'moment' || kind === 'day') && { kind }),
    })),
    rows: spokenRows(list, t, amount),
  };
}

/**
 * Creates a PDF for one recipient, A4 portrait, with the table header on every page. Resolves when complete. Texts are
 * held in memory, so callers must limit them: an invoice has 500 lines.
 * @throws tooMany() when too many documents are queued; Error when the logo is broken
 */
export function pdfPaper(ctx: Context, paper: PdfPaper): Promise<Readable> {
  return made(ctx, () => makePdfPaper(paper, { createdAt: ctx.now, fontsDir: ctx.app.config.fontsDir }));
}

/**
 * Creates an XLSX file with one sheet. Text is stored as text, never as formulas. Numbers, dates and timestamps
 * are numeric values, timestamps in the tenant's time zone. Choices are in the words of the person who asks; a key gets
 * the stored values. Resolves when complete.
 * @throws tooMany() when too many files are queued
 */
export async function xlsxStream(ctx: Context, list: XlsxList): Promise<Readable> {
  const style = { zone: ctx.app.zone.name, decimals: decimalsOf(await readCurrency(ctx)) };
  const rows = hasOwnWords(ctx) ? spokenRows(list, (await callerWording(ctx)).t, (value) => value) : list.rows;
  return made(ctx, () => makeXlsx({ columns: list.columns, rows }, style));
}

function made(ctx: Context, make: () => Promise<MadeFile>): Promise<Readable> {
  return inPdfTurn(ctx, async () => {
    const { bytes, undrawn } = await make().catch((error: unknown) => {
      throw error instanceof TookTooLong ? unavailable(error.message) : error;
    });
    await reportUndrawn(ctx, undrawn);
    return Readable.from([Buffer.from(bytes.buffer)], { objectMode: false });
  });
}
