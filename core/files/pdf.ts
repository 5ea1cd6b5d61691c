// PDF documents of lists. Their layout takes seconds, so it runs in a worker thread while requests are served.
import type { Readable } from 'node:stream';
import type { Context } from '../plugin/context.ts';
import type { Timestamp } from '../kit/time.ts';
import type { ExportColumn, ExportKind, ExportRow } from './export-rows.ts';
import { madeInThread } from './thread.ts';
import { cutTo, fits } from '../kit/characters.ts';

const HEAP_MB = 256;
/** Of a text in a cell; what is longer ends with an ellipsis. A description of 65,535 characters would fill pages. */
const LONGEST_CELL = 1000;

/** A filter of the list, as the head of the document shows it. */
export interface PdfFilter {
  readonly label: string;
  readonly value: unknown;
  readonly kind?: ExportKind;
}

export interface PdfList {
  readonly title: string;
  /** Filters without a value are not shown. */
  readonly filters: readonly PdfFilter[];
  readonly columns: readonly ExportColumn[];
  /** The rows; they are read only when it is the document's turn. */
  readonly rows: AsyncIterable<readonly ExportRow[]>;
}

/** What the thread gets first: texts only, which it never takes for files or addresses. */
export interface PdfJob {
  readonly title: string;
  /** Who the document is from: the service provider's name. */
  readonly author: string;
  readonly createdAt: Timestamp;
  /** The name of the time zone that moments are written in. */
  readonly zone: string;
  readonly filters: readonly PdfFilter[];
  readonly columns: readonly ExportColumn[];
}

/**
 * A list as a PDF table, A4 landscape, with the header on every page. Resolves when the document is complete, so that no
 * error can occur after the answer's headers were sent. Texts of more than 1,000 characters are cut. The thread keeps the
 * texts of all rows in memory, so callers must limit them (X-15: 10,000).
 * @throws tooMany() when too many documents wait already
 */
export function pdfStream(ctx: Context, list: PdfList): Promise<Readable> {
  const { title, columns } = list;
  const { tenantName: author, timeZone: zone } = ctx.app.config;
  const filters = list.filters.filter(({ value }) => value !== undefined && value !== null);
  const job: PdfJob = { title, author, createdAt: ctx.now, zone, filters, columns };
  const file = new URL('./pdf-worker.ts', import.meta.url);
  return madeInThread(ctx, { file, job, heapMb: HEAP_MB, rows: withShortCells(columns, list.rows) });
}

async function* withShortCells(columns: readonly ExportColumn[], rows: PdfList['rows']): AsyncGenerator<ExportRow[]> {
  for await (const batch of rows) {
    yield batch.map((row) => Object.fromEntries(columns.map(({ key }) => [key, shortCell(row[key])])));
  }
}

function shortCell(value: unknown): unknown {
  return typeof value === 'string' && !fits(value, LONGEST_CELL) ? `${cutTo(value, LONGEST_CELL)} …` : value;
}
