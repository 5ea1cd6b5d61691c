// Printable lists. The layout computes for seconds, so it runs in a thread of its own and requests go on meanwhile.
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { locks, Worker } from 'node:worker_threads';
import { cellText, type ExportColumn, type ExportRow } from './export-rows.ts';
import { unavailable } from '../kit/problem.ts';
import type { Timestamp } from '../kit/time.ts';

const DEADLINE_MS = 120_000;
const HEAP_MB = 1024;

export interface PdfInfo {
  /** Who the document is from: the service provider's name. */
  readonly author: string;
  readonly createdAt: Timestamp;
}

/** What the thread gets: text only, so nothing in it can name a file or an address. */
export interface PdfJob extends PdfInfo {
  readonly title: string;
  readonly labels: readonly string[];
  /** JSON of a batch of lines of cells: one text is handed to the thread much faster than its thousands of parts. */
  readonly batches: readonly string[];
}

/**
 * A table as a PDF, A4 landscape, the header on every page. Resolves when the document is complete, so that nothing
 * fails after the answer's headers are sent. Rows are all kept in memory: callers bound them (X-15: 10,000).
 */
export async function pdfStream(
  title: string,
  columns: readonly ExportColumn[],
  rows: AsyncIterable<readonly ExportRow[]>,
  info: PdfInfo,
): Promise<Readable> {
  const batches: string[] = [];
  for await (const batch of rows) {
    batches.push(JSON.stringify(batch.map((row) => columns.map(({ key }) => cellText(row[key])))));
  }
  const job = { ...info, title, labels: columns.map(({ label }) => label), batches };
  // Ten thousand rows take several hundred megabytes: documents of one process come one after the other.
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  try {
    const signal = deadline;
    const make = () => locks.request('keelson-pdf', { signal }, () => inThread(job, deadline));
    // Of each provider one document at most waits for the thread, so that nobody waits behind another's many.
    const bytes = await locks.request(`keelson-pdf of ${info.author}`, { signal }, make);
    return Readable.from([bytes], { objectMode: false });
  } catch (error) {
    throw deadline.aborted ? unavailable('The document took too long') : error;
  }
}

/** Starts a thread for one document: pdfmake is loaded there only, and its memory goes with it. */
async function inThread(job: PdfJob, deadline: AbortSignal): Promise<Buffer> {
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  try {
    const bytes: unknown = (await once(worker, 'message', { signal: deadline }))[0];
    if (!(bytes instanceof Uint8Array)) throw new Error('The PDF thread answered without a document');
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  } finally {
    await worker.terminate();
  }
}
