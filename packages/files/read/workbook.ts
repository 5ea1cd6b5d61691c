// Excel workbooks as import files. The library processes the whole workbook at once, so the first sheet is read in a
// child process.
import { inChild } from '../child.ts';
import { invalid } from '../fault.ts';

const WORK = { module: new URL('./workbook-process.ts', import.meta.url), heapMb: 256, cpuMs: 20_000 };

/** Why a workbook cannot be read. */
export interface WorkbookProblem {
  readonly problem: string;
}
/** The child's response: the sheet as CSV, or why it cannot be read. */
export type WorkbookAnswer = { readonly csv: Uint8Array } | WorkbookProblem;

/** Returns true for a ZIP archive, such as .xlsx. */
export const isArchive = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 4) === 'PK\x03\x04';

/** Returns the first sheet as CSV. @throws FileFault when it is not a workbook, has macros, or takes too long */
export async function sheetOf(bytes: Buffer): Promise<Buffer> {
  const answer = await inChild<WorkbookAnswer>(WORK, bytes);
  if (!answer) throw invalid('The workbook is too large: save its sheet as CSV');
  if ('problem' in answer) throw invalid(answer.problem);
  return Buffer.from(answer.csv);
}
