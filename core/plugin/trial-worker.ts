// Loads plugin files in a worker thread, so that an endless loop or process.exit() ends only the thread.
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setTimeout as after } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { faultText } from './fault-text.ts';

interface Trial {
  /** Modules that plugins may import. Loaded first so that they do not count against a plugin's time limit. */
  readonly first: readonly string[];
  readonly hrefs: readonly string[];
}

/** How long what a file has started may run before the next file is loaded, so that its faults count as its own. */
const SETTLE_MS = 50;

// Reuse the process's compile cache.
enableCompileCache();
const { first, hrefs } = workerData as Trial;
for (const href of first) await import(href);
// A signal would end the process, unlike process.exit() in a thread.
process.kill = () => {
  throw new Error('process.kill() must not be called while loading');
};
for (const href of hrefs) {
  parentPort?.postMessage({ href });
  try {
    await import(href);
    // Promises that start each other without end or reject unhandled, and timers that throw, show only now.
    await after(SETTLE_MS);
    parentPort?.postMessage({ href, fault: '' });
  } catch (error) {
    parentPort?.postMessage({ href, fault: faultText(error, fileURLToPath(href)) });
  }
}
