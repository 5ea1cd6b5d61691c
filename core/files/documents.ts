// Documents as answers: each is made on its caller's turn (document-turn.ts) in the product's name, fonts and time zone.
import { Readable } from 'node:stream';
import {
  makePdfList,
  makePdfPaper,
  makeXlsx,
  TookTooLong,
  type MadeFile,
  type PdfList,
  type PdfPaper,
  type XlsxList,
} from '@keelson/files';
import { unavailable } from '../kit/problem.ts';
import type { Context } from '../plugin/context.ts';
import { reportUndrawn } from '../plugin/troubles.ts';
import { inPdfTurn } from './pdf-turn.ts';

/**
 * Creates a PDF table of a list, A4 landscape, with the header on every page. Resolves when complete, so that no error
 * can occur after the response headers are sent. The texts of all rows are held in memory, so callers must limit them
 * 10,000).
 * @throws tooMany() when too many documents are queued; unavailable() when it takes too long
 */
export function pdfStream(ctx: Context, list: PdfList): Promise<Readable> {
  const { tenantName: author, fontsDir } = ctx.app.config;
  const zone = ctx.app.zone.name;
  return made(ctx, () => makePdfList(list, { author, createdAt: ctx.now, fontsDir, zone }));
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
 * are numeric values, timestamps in the tenant's time zone. Resolves when complete.
 * @throws tooMany() when too many files are queued
 */
export function xlsxStream(ctx: Context, list: XlsxList): Promise<Readable> {
  return made(ctx, () => makeXlsx(list, ctx.app.zone.name));
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
