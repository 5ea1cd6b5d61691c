// PDF documents of lists. Layout takes seconds, so it runs in a worker thread.
import type { Readable } from 'node:stream';
import type { Context } from '../plugin/context.ts';
import type { Timestamp } from '../kit/time.ts';
import type { ExportColumn, ExportKind, ExportRow } from './export-rows.ts';
import { madeInThread } from './thread.ts';
import { cutTo, fits } from '../kit/characters.ts';

const HEAP_MB = 256;

/** A filter of the list, as shown in the document's header. */
export interface PdfFilter {
  readonly label: string;
  readonly value: unknown;
  readonly kind?: ExportKind;
}

export interface PdfList {
  readonly title: string;
  /** Filters without a value are omitted. */
  readonly filters: readonly PdfFilter[];
  readonly columns: readonly ExportColumn[];
  /** Maximum characters shown per text, which then ends with an ellipsis. Default: unlimited. */
  readonly longestText?: number;
  /** The rows, read only when it is the document's turn. */
  readonly rows: AsyncIterable<readonly ExportRow[]>;
}

/** The thread's initial message. Text only, never interpreted as a file or URL. */
export interface PdfJob {
  readonly title: string;
  /** The document's author: the service provider's name. */
  readonly author: string;
  readonly createdAt: Timestamp;
  readonly fontsDir: string;
  /** The time zone of timestamps. */
  readonly zone: string;
  readonly filters: readonly PdfFilter[];
  readonly columns: readonly ExportColumn[];
}

/**
 * Creates a PDF table of a list, A4 landscape, with the header on every page. Resolves when complete, so that no error
 * can occur after the response headers are sent. The thread holds the texts of all rows in memory, so callers must
 * limit them (X-15: 10,000).
 * @throws tooMany() when too many documents are queued
 */
export function pdfStream(ctx: Context, list: PdfList): Promise<Readable> {
  const { title, columns } = list;
  const { tenantName: author, timeZone: zone, fontsDir } = ctx.app.config;
  const filters = list.filters.filter(({ value }) => value !== undefined && value !== null);
  const job: PdfJob = { title, author, createdAt: ctx.now, fontsDir, zone, filters, columns };
  const file = new URL('./pdf-worker.ts', import.meta.url);
  return madeInThread(ctx, {
    file,
    job,
    heapMb: HEAP_MB,
    rows: list.longestText === undefined ? list.rows : withShortTexts(list, list.longestText),
  });
}

async function* withShortTexts({ columns, rows }: PdfList, longest: number): AsyncGenerator<ExportRow[]> {
  const short = (value: unknown) =>
    typeof value === 'string' && !fits(value, longest) ? `${cutTo(value, longest)} …` : value;
  for await (const batch of rows)
    yield batch.map((row) => Object.fromEntries(columns.map(({ key }) => [key, short(row[key])])));
}
