// Excel workbooks as import files. The library processes the whole workbook at once, so the first sheet is read in a
// child process, within memory and time limits. A thread would not do: if it needs too much memory in one step, all end.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { invalid } from '../fault.ts';

const DEADLINE_MS = 20_000;
const HEAP_MB = 256;

/** The child's response: the sheet as CSV, or why it cannot be read. */
export type WorkbookAnswer = { readonly csv: string } | { readonly refused: string };

/** Returns true for a ZIP archive, such as .xlsx. */
export const isArchive = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 4) === 'PK\x03\x04';

/** Returns the first sheet as CSV. @throws FileFault when it is not a workbook, has macros, or takes too long */
export async function sheetOf(bytes: Buffer): Promise<Buffer> {
  const child = fork(new URL('./workbook-process.ts', import.meta.url), {
    execArgv: [`--max-old-space-size=${HEAP_MB}`],
    // Its output on running out of memory is of no use, and it needs nothing of the server's environment.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: {},
    serialization: 'advanced',
  });
  const signal = AbortSignal.timeout(DEADLINE_MS);
  // Without a listener, a failed send would end the process.
  child.on('error', () => undefined);
  try {
    child.send(bytes, () => undefined);
    const answered = once(child, 'message', { signal }) as Promise<[WorkbookAnswer]>;
    // Not `exit`, which may come before an answer that was sent.
    const ended = once(child, 'disconnect', { signal }).then(() => [{ refused: TOO_LARGE }] as const);
    // Whichever of the two is not needed may still fail: it is stopped below.
    ended.catch(() => undefined);
    const [answer] = await Promise.race([answered, ended]);
    answered.catch(() => undefined);
    if ('refused' in answer) throw invalid(answer.refused);
    return Buffer.from(answer.csv);
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw invalid(TOO_LARGE);
    throw error;
  } finally {
    child.kill('SIGKILL');
  }
}

const TOO_LARGE = 'The workbook is too large: save its sheet as CSV';
