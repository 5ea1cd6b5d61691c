// Printable lists. The layout computes for seconds, so it runs in a thread of its own and requests go on meanwhile.
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import type { Context } from '../plugin/context.ts';
import { unavailable } from '../kit/problem.ts';
import type { Timestamp } from '../kit/time.ts';
import type { ExportColumn, ExportKind, ExportRow } from './export-rows.ts';
import { inPdfTurn } from './pdf-turn.ts';

const DEADLINE_MS = 120_000;
const HEAP_MB = 256;

/** What the rows were chosen by, as the head of the document says it. */
export interface PdfFilter {
  readonly label: string;
  readonly value: unknown;
  readonly kind?: ExportKind;
}

export interface PdfList {
  readonly title: string;
  /** Those without a value are left out. */
  readonly filters: readonly PdfFilter[];
  readonly columns: readonly ExportColumn[];
  /** Read when it is the document's turn, and not before. */
  readonly rows: AsyncIterable<readonly ExportRow[]>;
}

/** What the thread begins with: text only, so nothing in it can name a file or an address. */
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

/** A batch of rows as JSON, which reaches a thread much faster than its thousands of parts; at last, that it was the last. */
export type PdfMessage = { readonly rows: string } | 'end';

/**
 * A table as a PDF, A4 landscape, the header on every page. Resolves when the document is complete, so that nothing
 * fails after the answer's headers are sent. The thread keeps the texts of all rows: callers bound them (X-15: 10,000).
 * @throws too-many when too many documents wait already
 */
export function pdfStream(ctx: Context, list: PdfList): Promise<Readable> {
  const { title, columns } = list;
  const { tenantName: author, timeZone: zone } = ctx.app.config;
  const filters = list.filters.filter(({ value }) => value !== undefined && value !== null);
  const job: PdfJob = { title, author, createdAt: ctx.now, zone, filters, columns };
  return inPdfTurn(ctx, async () => {
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    try {
      const bytes = await inThread(job, list.rows, deadline);
      return Readable.from([bytes], { objectMode: false });
    } catch (error) {
      throw deadline.aborted ? unavailable('The document took too long') : error;
    }
  });
}

/** Starts a thread for one document: pdfkit is loaded there only, and its memory goes with it. */
async function inThread(job: PdfJob, rows: PdfList['rows'], deadline: AbortSignal): Promise<Buffer> {
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 8 },
  });
  const ended = new AbortController();
  try {
    const answered = once(worker, 'message', { signal: AbortSignal.any([deadline, ended.signal]) });
    // Both at once: a thread that breaks must not wait to be told all the rows.
    const [[bytes]] = await Promise.all([answered, send(worker, job, rows, ended.signal)]);
    if (!(bytes instanceof Uint8Array)) throw new Error('The PDF thread answered without a document');
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  } finally {
    ended.abort();
    await worker.terminate();
  }
}

async function send(worker: Worker, { columns }: PdfJob, rows: PdfList['rows'], ended: AbortSignal): Promise<void> {
  for await (const batch of rows) {
    if (ended.aborted) return;
    const message: PdfMessage = {
      rows: JSON.stringify(batch.map((row) => columns.map(({ key }) => row[key] ?? null))),
    };
    worker.postMessage(message);
  }
  const end: PdfMessage = 'end';
  worker.postMessage(end);
}
