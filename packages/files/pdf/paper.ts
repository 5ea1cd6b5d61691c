// PDF documents for one recipient, such as invoices: sender, recipient, facts, a table, sums and notes. Laid out in a
// worker thread, from the given data only.
import { madeInThread, type MadeFile } from '../write/thread.ts';
import type { DocumentInfo } from './open.ts';

const HEAP_MB = 128;

/** A label and its value. */
export interface PaperFact {
  readonly label: string;
  readonly value: string;
  /** Emphasised: the amount to pay. */
  readonly strong?: boolean;
}

/** A column of the table. */
export interface PaperColumn {
  readonly label: string;
  /** Holds numbers, which are right-aligned. */
  readonly numbers?: boolean;
}

/** The contents of a document. Nothing in it is interpreted as a file or URL. */
export interface PdfPaper {
  /** For example `Invoice INV-000001`. */
  readonly title: string;
  /** The sender. */
  readonly from: string;
  /** The sender's logo, a PNG or JPEG in base64. Without one, the name is shown. */
  readonly logo?: string;
  /** For example `#1e3a5f`. */
  readonly colour: string;
  /** The recipient: a heading and the lines below it. */
  readonly to: { readonly label: string; readonly lines: readonly string[] };
  readonly facts: readonly PaperFact[];
  readonly columns: readonly PaperColumn[];
  readonly rows: readonly (readonly string[])[];
  readonly sums: readonly PaperFact[];
  /** Shown below everything else. May contain line breaks. */
  readonly notes: string;
  /** The footer's page number before the number of pages, in the recipient's language. Default: `Page {page} of`. */
  readonly pageOf?: string;
}

/** The thread's initial message. */
export interface PaperJob extends Omit<PdfPaper, 'rows' | 'columns'>, DocumentInfo {
  readonly columns: readonly (PaperColumn & { readonly key: string })[];
}

/**
 * Creates a PDF for one recipient, A4 portrait, with the table header on every page. Texts are held in memory, so
 * callers must limit them: an invoice has 500 lines.
 * @throws Error when the logo is broken
 */
export function makePdfPaper(
  { rows, columns, ...paper }: PdfPaper,
  about: Pick<DocumentInfo, 'createdAt' | 'fontsDir'>,
): Promise<MadeFile> {
  const keyed = columns.map((column, at) => ({ ...column, key: String(at) }));
  const job: PaperJob = { ...paper, ...about, author: paper.from, columns: keyed };
  const file = new URL('./paper-worker.ts', import.meta.url);
  return madeInThread({ file, job, heapMb: HEAP_MB, rows: batchOf(rows) });
}

async function* batchOf(rows: PdfPaper['rows']) {
  yield rows.map((row) => Object.fromEntries(row.map((text, at) => [String(at), text])));
}
