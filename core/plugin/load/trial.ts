// Loads third-party plugin files in a worker thread before the process does. A file that never finishes loading, or
// that exits, would otherwise take down the whole process.
import { Worker } from 'node:worker_threads';
import type { PluginFile } from './plugin-files.ts';
import { limitWork } from './work-limit.ts';

const LIMIT_MS = 5000;

const neverEnds = (limitMs: number) =>
  `it did not finish loading within ${limitMs / 1000} s: look for an infinite loop or a top-level await that never settles`;
const ENDS_PROCESS =
  'it exits the process while loading: look for process.exit() or a top-level await that never settles';

export interface Trial {
  readonly files: readonly PluginFile[];
  /** Modules that the files may import. Loaded first so that they do not count against a file's time limit. */
  readonly first: readonly string[];
  /** How long timers and promises of the files may run before the files count as loaded. */
  readonly settleMs: number;
  /** How long one file may work or wait while it loads. Defaults to 5 seconds. */
  readonly limitMs?: number | undefined;
}

/** Messages from the thread: a file was started, finished, is at fault, or is about to exit; and finally the end. */
export interface TrialMessage {
  readonly what: 'begun' | 'done' | 'fault' | 'exit' | 'over';
  readonly href: string;
  readonly fault?: string;
}

/** Returns the faults of the files by URL. Files that load are absent. */
export async function tryToLoad(trial: Trial): Promise<ReadonlyMap<string, string>> {
  const faults = new Map<string, string>();
  let left = [...trial.files];
  // A file that breaks its thread requires a new thread for the rest.
  while (left.length > 0) left = await tryThese({ ...trial, files: left }, faults);
  return faults;
}

/** Tries the files in one thread. Returns the remaining ones if a file ended the thread. */
async function tryThese(trial: Trial, faults: Map<string, string>): Promise<PluginFile[]> {
  const worker = new Worker(new URL('./trial-worker.ts', import.meta.url), { workerData: trial, stdout: true });
  let current: string | undefined;
  const done = new Set<string>();
  const { limitMs = LIMIT_MS } = trial;
  let stopLimit = () => {};
  const why = await new Promise<string | undefined>((resolve) => {
    worker.on('message', ({ what, href, fault = '' }: TrialMessage) => {
      if (what === 'over') return resolve(undefined);
      if (what === 'begun' || what === 'exit') current = href;
      if (what === 'done') done.add(href);
      if (what === 'fault') faults.set(href, fault);
      stopLimit();
      stopLimit = limitWork(worker, limitMs, () => resolve(neverEnds(limitMs)));
    });
    worker.on('error', (error) => resolve(error.message));
    worker.on('exit', () => resolve(ENDS_PROCESS));
  });
  await worker.terminate();
  // Not before: a message that was under way starts another limit.
  stopLimit();
  // Without a current file, the thread could not even load the modules; the process will report why.
  if (why === undefined || current === undefined) return [];
  faults.set(current, why);
  return trial.files.filter(({ href }) => href !== current && !done.has(href));
}
