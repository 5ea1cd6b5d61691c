// PDF documents of lists. Their layout takes seconds, so it runs in a worker thread while requests are served.
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

/** A batch of rows as JSON, which is transferred much faster than objects; finally `end`. */
export type PdfMessage = { readonly rows: string } | 'end';

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

/** Starts a thread for one document. Only the thread loads pdfkit, and its memory is freed when it ends. */
async function inThread(job: PdfJob, rows: PdfList['rows'], deadline: AbortSignal): Promise<Buffer> {
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 8 },
  });
  const ended = new AbortController();
  try {
    const answered = once(worker, 'message', { signal: AbortSignal.any([deadline, ended.signal]) });
    // At the same time, because a thread that fails must end this without having received all rows.
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
