// Checks uploaded files against the types that a record's declaration accepts.
import { invalid } from '../kit/problem.ts';
import type { ArrivedFile } from '../storage/arrival.ts';
import { cleanName } from '../storage/file-name.ts';
import { fileTypeOf } from '../storage/file-type.ts';

/**
 * Checks the type of each file.
 * @throws invalid() for an extension that is not accepted, or content that does not match it
 */
export async function checkAccepted(
  accepts: ReadonlyMap<string, readonly string[]> | undefined,
  files: readonly ArrivedFile[],
): Promise<void> {
  if (!accepts) return;
  for (const { name, head } of files) {
    const clean = cleanName(name);
    const types = accepts.get(/\.([^.]+)$/.exec(clean)?.[1]?.toLowerCase() ?? '');
    if (!types) throw invalid(`file must be one of: ${[...accepts.keys()].join(', ')}`);
    if (!types.includes(await fileTypeOf(head))) throw invalid(`file is not what its name says: ${clean}`);
  }
}
