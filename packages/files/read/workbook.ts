// Excel workbooks as import files. The library processes the whole workbook at once, so the first sheet is read in a
// worker thread, within memory and time limits.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { invalid } from '../fault.ts';

const DEADLINE_MS = 20_000;
const HEAP_MB = 256;

/** The thread's response: the sheet as CSV, or why it cannot be read. */
export type WorkbookAnswer = { readonly csv: string } | { readonly refused: string };

/** Returns true for a ZIP archive, such as .xlsx. */
export const isArchive = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 4) === 'PK\x03\x04';

/** Returns the first sheet as CSV. @throws FileFault when it is not a workbook, has macros, or takes too long */
export async function sheetOf(bytes: Buffer): Promise<Buffer> {
  const worker = new Worker(new URL('./workbook-worker.ts', import.meta.url), {
    workerData: new Uint8Array(bytes),
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  try {
    const [answer] = (await once(worker, 'message', { signal: AbortSignal.timeout(DEADLINE_MS) })) as [WorkbookAnswer];
    if ('refused' in answer) throw invalid(answer.refused);
    return Buffer.from(answer.csv);
  } catch (error) {
    if (isTooMuch(error)) throw invalid('The workbook is too large: save its sheet as CSV');
    throw error;
  } finally {
    await worker.terminate();
  }
}

/** The deadline has passed, or the thread is out of memory. */
const isTooMuch = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'AbortError' || ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'));
