// PDF documents of lists. Their layout takes seconds, so it runs in a worker thread while requests are served.
import type { Readable } from 'node:stream';
import type { Context } from '../plugin/context.ts';
import type { Timestamp } from '../kit/time.ts';
import type { ExportColumn, ExportKind, ExportRow } from './export-rows.ts';
import { madeInThread } from './thread.ts';
import { cutTo, fits } from '../kit/characters.ts';

const HEAP_MB = 256;

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
  /** The characters that a cell shows of a text, which then ends with an ellipsis; all of them when absent. */
  readonly longestText?: number;
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
 * error can occur after the answer's headers were sent. The thread keeps the texts of all rows in memory, so callers must
 * limit them (X-15: 10,000).
 * @throws tooMany() when too many documents wait already
 */
export function pdfStream(ctx: Context, list: PdfList): Promise<Readable> {
  const { title, columns } = list;
  const { tenantName: author, timeZone: zone } = ctx.app.config;
  const filters = list.filters.filter(({ value }) => value !== undefined && value !== null);
  const job: PdfJob = { title, author, createdAt: ctx.now, zone, filters, columns };
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
