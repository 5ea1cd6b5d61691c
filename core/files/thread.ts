// Creates files in a worker thread, without blocking requests. The thread receives only text, and its memory is freed
// when it ends.
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { unavailable } from '../kit/problem.ts';
import type { Context } from '../plugin/context.ts';
import type { ExportColumn, ExportRow } from './export-rows.ts';
import { reportUndrawn } from '../plugin/troubles.ts';
import { inPdfTurn } from './pdf-turn.ts';

const DEADLINE_MS = 120_000;

/** A batch of rows as JSON, which transfers much faster than objects, or `end`. */
export type ThreadMessage = { readonly rows: string } | 'end';

/** The file. `undrawn` holds letters that no font could draw. */
export interface ThreadAnswer {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly undrawn?: string;
}

export interface ThreadWork {
  /** The worker's file. */
  readonly file: URL;
  /** The initial message. */
  readonly job: { readonly columns: readonly ExportColumn[] };
  /** Old-generation heap limit, in MB. */
  readonly heapMb: number;
  /** The rows, read only when it is the file's turn. */
  readonly rows: AsyncIterable<readonly ExportRow[]>;
}

/**
 * Creates a file when it is the caller's turn. Resolves when complete, so that no error can occur after the response
 * headers are sent.
 * @throws tooMany() when too many are queued; unavailable() when it takes too long
 */
export function madeInThread(ctx: Context, work: ThreadWork): Promise<Readable> {
  return inPdfTurn(ctx, async () => {
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    try {
      const { bytes, undrawn = '' } = await inThread(work, deadline);
      await reportUndrawn(ctx, undrawn);
      return Readable.from([Buffer.from(bytes.buffer)], { objectMode: false });
    } catch (error) {
      throw deadline.aborted ? unavailable('The document took too long') : error;
    }
  });
}

async function inThread({ file, job, heapMb, rows }: ThreadWork, deadline: AbortSignal): Promise<ThreadAnswer> {
  const worker = new Worker(file, {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 8 },
  });
  const ended = new AbortController();
  try {
    const answered = once(worker, 'message', { signal: AbortSignal.any([deadline, ended.signal]) });
    // In parallel, because a failing thread must end this before it has received all rows.
    const [[answer]] = await Promise.all([answered, send(worker, job.columns, rows, ended.signal)]);
    return answer as ThreadAnswer;
  } finally {
    ended.abort();
    await worker.terminate();
  }
}

async function send(
  worker: Worker,
  columns: readonly ExportColumn[],
  rows: ThreadWork['rows'],
  ended: AbortSignal,
): Promise<void> {
  for await (const batch of rows) {
    if (ended.aborted) return;
    const message: ThreadMessage = {
      rows: JSON.stringify(batch.map((row) => columns.map(({ key }) => row[key] ?? null))),
    };
    worker.postMessage(message);
  }
  const end: ThreadMessage = 'end';
  worker.postMessage(end);
}
