// Imports need memory for their file and seconds of work, so only few run at once. Others get 429 before their file is
// read.
import type { App } from '../plugin/app.ts';
import { perApp } from '../plugin/per-app.ts';
import { tooMany } from '../kit/problem.ts';

const AT_ONCE = 2;
const RETRY_SECONDS = 5;

const running = perApp(() => new Set<string>());

/**
 * Runs `work` as an import of `owner` (a company, key or technician). An owner may have one at a time, a process two.
 * @throws tooMany() when there is no place
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
