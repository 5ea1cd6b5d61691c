// Loads third-party plugin files in a worker thread before the process does. A file that never finishes loading, or
// that exits, would otherwise take down the whole process.
import { Worker } from 'node:worker_threads';

const LIMIT_MS = 5000;

const NEVER_ENDS = `it did not finish loading within ${LIMIT_MS / 1000} s: look for an infinite loop or a top-level await that never settles`;
const ENDS_PROCESS =
  'it exits the process while loading: look for process.exit() or a top-level await that never settles';

/**
 * Returns the faults of the files by URL. Files that load are absent. Each file has 5 seconds.
 * @param first modules the files may import, loaded before the time limit starts
 */
export async function tryToLoad(
  hrefs: readonly string[],
  first: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const faults = new Map<string, string>();
  let left = [...hrefs];
  // A file that breaks its thread requires a new thread for the rest.
  while (left.length > 0) {
    const spoilt = await tryThese({ hrefs: left, first }, faults);
    left = spoilt === undefined ? [] : left.slice(left.indexOf(spoilt) + 1);
  }
  return faults;
}

/** Returns the file that ended the thread, or undefined if all were tried. */
async function tryThese(
  trial: { readonly hrefs: readonly string[]; readonly first: readonly string[] },
  faults: Map<string, string>,
): Promise<string | undefined> {
  const worker = new Worker(new URL('./trial-worker.ts', import.meta.url), { workerData: trial, stdout: true });
  let current: string | undefined;
  let done = 0;
  let timer: NodeJS.Timeout | undefined;
  const why = await new Promise<string>((resolve) => {
    worker.on('message', ({ href, fault }: { href: string; fault?: string }) => {
      clearTimeout(timer);
      if (fault === undefined) {
        current = href;
        timer = setTimeout(() => resolve(NEVER_ENDS), LIMIT_MS);
        return;
      }
      done++;
      if (fault !== '') faults.set(href, fault);
    });
    worker.on('error', (error) => resolve(error.message));
    worker.on('exit', () => resolve(ENDS_PROCESS));
  });
  clearTimeout(timer);
  await worker.terminate();
  if (done === trial.hrefs.length || current === undefined) return undefined;
  faults.set(current, why);
  return current;
}
