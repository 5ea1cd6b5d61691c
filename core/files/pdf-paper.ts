// PDF documents for one reader, such as invoices: who it is from and to, facts, a table, sums and notes. They are laid out in a
// thread of their own, from what they are given only.
import type { Readable } from 'node:stream';
import type { Context } from '../plugin/context.ts';
import type { Timestamp } from '../kit/time.ts';
import { madeInThread } from './thread.ts';

const HEAP_MB = 128;

/** A label and what stands beside it. */
export interface PaperFact {
  readonly label: string;
  readonly value: string;
  /** Stands out: the amount to pay. */
  readonly strong?: boolean;
}

/** A column of the table. */
export interface PaperColumn {
  readonly label: string;
  /** It holds numbers, which end at its right end. */
  readonly numbers?: boolean;
}

/** What a document shows. Nothing in it is taken for a file or an address. */
export interface PdfPaper {
  /** `Invoice INV-000001` */
  readonly title: string;
  /** Who it is from. */
  readonly from: string;
  /** Their picture, a PNG or JPEG in base64; without one the name stands in its place. */
  readonly logo?: string;
  /** `#1e3a5f` */
  readonly colour: string;
  /** Who it is for: a heading, and lines below it. */
  readonly to: { readonly label: string; readonly lines: readonly string[] };
  readonly facts: readonly PaperFact[];
  readonly columns: readonly PaperColumn[];
  readonly rows: readonly (readonly string[])[];
  readonly sums: readonly PaperFact[];
  /** Below everything; may have line breaks. */
  readonly notes: string;
}

/** What the thread gets first. */
export interface PaperJob extends Omit<PdfPaper, 'rows' | 'columns'> {
  readonly author: string;
  readonly createdAt: Timestamp;
  readonly columns: readonly (PaperColumn & { readonly key: string })[];
}

/**
 * A document for one reader as a PDF, A4 portrait, with the table's head on every page. Resolves when it is complete. Its
 * texts are in memory, so callers must limit them: an invoice has 500 lines.
 * @throws tooMany() when too many documents wait already; Error when the logo is broken
 */
export function pdfPaper(ctx: Context, { rows, columns, ...paper }: PdfPaper): Promise<Readable> {
  const keyed = columns.map((column, at) => ({ ...column, key: String(at) }));
  const job: PaperJob = { ...paper, author: paper.from, createdAt: ctx.now, columns: keyed };
  const file = new URL('./pdf-paper-worker.ts', import.meta.url);
  return madeInThread(ctx, { file, job, heapMb: HEAP_MB, rows: batchOf(rows) });
}

async function* batchOf(rows: PdfPaper['rows']) {
  yield rows.map((row) => Object.fromEntries(row.map((text, at) => [String(at), text])));
}
