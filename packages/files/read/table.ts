// A table from any program as CSV in UTF-8.
import { toUtf8 } from './text.ts';
import { isArchive, sheetOf } from './workbook.ts';

/** Converts a workbook or text to CSV in UTF-8. @throws FileFault for a file that is neither */
export async function tableOf(bytes: Buffer): Promise<ReturnType<typeof toUtf8>> {
  return isArchive(bytes) ? { bytes: await sheetOf(bytes), encoding: 'utf-8' } : toUtf8(bytes);
}
