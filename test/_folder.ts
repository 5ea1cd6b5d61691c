import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';

/** Makes an empty folder, which is removed after the test. */
export function makeFolder(t: Pick<ExecutionContext, 'teardown'>): string {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
