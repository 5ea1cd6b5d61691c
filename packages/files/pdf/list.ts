// PDF documents of lists. Layout takes seconds, so it runs in a worker thread.
import type { ExportColumn, ExportKind, ExportRow } from '../write/rows.ts';
import type { DocumentWords } from '../write/texts.ts';
import { madeInThread, type MadeFile } from '../write/thread.ts';
import type { DocumentInfo } from './open.ts';

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
  /** The rows, read only when the document's turn comes. */
  readonly rows: AsyncIterable<readonly ExportRow[]>;
}

/** The document's own words, in its reader's language. */
export interface ListWords extends DocumentWords {
  /** Instead of filters, if there are none. */
  readonly noFilter: string;
  /** `1 row`, and `{count} rows` for other numbers. */
  readonly row: string;
  readonly rows: string;
  /** `Times in Europe/Berlin` */
  readonly times: string;
  /** `Page {page} of`, before the number of pages. */
  readonly pageOf: string;
}

/** The thread's initial message. Text only, never interpreted as a file or URL. */
export interface PdfJob extends DocumentInfo {
  /** The time zone of timestamps. */
  readonly zone: string;
  readonly words: ListWords;
  readonly filters: readonly PdfFilter[];
  readonly columns: readonly ExportColumn[];
}

/**
 * Creates a PDF table of a list, A4 landscape, with the header on every page. The thread holds the texts of all rows in
 * memory, so callers must limit them (X-15: 10,000).
 */
export function makePdfList(list: PdfList, about: Omit<PdfJob, 'title' | 'filters' | 'columns'>): Promise<MadeFile> {
  const { title, columns } = list;
  const filters = list.filters.filter(({ value }) => value !== undefined && value !== null);
  const job: PdfJob = { ...about, title, filters, columns };
  return madeInThread({
    file: new URL('./list-worker.ts', import.meta.url),
    job,
    heapMb: HEAP_MB,
    rows: list.longestText === undefined ? list.rows : withShortTexts(list, list.longestText),
  });
}

async function* withShortTexts({ columns, rows }: PdfList, longest: number): AsyncGenerator<ExportRow[]> {
  const short = (value: unknown) => {
    if (typeof value !== 'string' || value.length <= longest) return value;
    // A character has at most two units: a long text is never split as a whole.
    const characters = Array.from(value.slice(0, 2 * longest + 1));
    return characters.length <= longest ? value : `${characters.slice(0, longest).join('')} …`;
  };
  for await (const batch of rows)
    yield batch.map((row) => Object.fromEntries(columns.map(({ key }) => [key, short(row[key])])));
}
