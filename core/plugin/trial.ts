// Third parties' plugin files are loaded in a thread before the process loads them: a file that never ends, or that ends the
// process, would take everybody down with it.
import { Worker } from 'node:worker_threads';

const LIMIT_MS = 5000;

const NEVER_ENDS = `it does not finish loading within ${LIMIT_MS / 1000} s: look for a loop, or an await at the top of a file that never ends`;
const ENDS_PROCESS =
  'it ends the process while it loads: look for process.exit(), or an await at the top of a file that never ends';

/**
 * What is wrong with the files, by their URL; those that load are not in it. Each has 5 seconds.
 * @param first what they may import, which takes none of their time
 */
export async function tryToLoad(
  hrefs: readonly string[],
  first: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const faults = new Map<string, string>();
  let left = [...hrefs];
  // A file that spoils its thread costs the others a new one.
  while (left.length > 0) {
    const spoilt = await tryThese({ hrefs: left, first }, faults);
    left = spoilt === undefined ? [] : left.slice(left.indexOf(spoilt) + 1);
  }
  return faults;
}

/** Answers the file that has ended the thread; undefined when all were tried. */
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
