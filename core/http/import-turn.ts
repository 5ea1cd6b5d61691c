// An import takes memory for its file and work for seconds, so few run at once. Who comes too early is told before the
// file is read.
import type { App } from '../plugin/app.ts';
import { perApp } from '../plugin/per-app.ts';
import { tooMany } from '../kit/problem.ts';

const AT_ONCE = 2;
const RETRY_SECONDS = 5;

const running = perApp(() => new Set<string>());

/**
 * Runs `work` as the import of `owner` (a company or a key), which may have one, all together two in a process.
 * @throws too-many when the place is taken
 */
export async function inImportTurn<R>(app: App, owner: string, work: () => Promise<R>): Promise<R> {
  const owners = running(app);
  if (owners.has(owner) || owners.size >= AT_ONCE) throw tooMany(RETRY_SECONDS, 'Another import is still running');
  owners.add(owner);
  try {
    return await work();
  } finally {
    owners.delete(owner);
  }
}
