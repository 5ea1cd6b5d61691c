// Creates files in a worker thread, without blocking requests. The thread receives only text, and its memory is freed
// when it ends.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { TookTooLong } from '../fault.ts';
import type { ExportColumn, ExportRow } from './rows.ts';

const DEADLINE_MS = 120_000;

/** A batch of rows as JSON, which transfers much faster than objects, or `end`. */
export type ThreadMessage = { readonly rows: string } | 'end';

/** A complete file. `undrawn` holds letters that no font could draw. */
export interface MadeFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly undrawn: string;
}

export interface ThreadWork {
  /** The worker's file. */
  readonly file: URL;
  /** The initial message. */
  readonly job: { readonly columns: readonly ExportColumn[] };
  /** Old-generation heap limit, in MB. */
  readonly heapMb: number;
  /** The rows, read while the file is made. */
  readonly rows: AsyncIterable<readonly ExportRow[]>;
}

/** Creates a file. @throws TookTooLong after two minutes */
export async function madeInThread({ file, job, heapMb, rows }: ThreadWork): Promise<MadeFile> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const worker = new Worker(file, {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 8 },
  });
  const ended = new AbortController();
  try {
    const answered = once(worker, 'message', { signal: AbortSignal.any([deadline, ended.signal]) });
    // In parallel, because a failing thread must end this before it has received all rows.
    const [[answer]] = await Promise.all([answered, send(worker, job.columns, rows, ended.signal)]);
    return answer as MadeFile;
  } catch (error) {
    throw deadline.aborted ? new TookTooLong('The document took too long') : error;
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
