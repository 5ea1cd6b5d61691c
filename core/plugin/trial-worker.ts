// Loads plugin files in a worker thread, so that an endless loop or process.exit() ends only the thread.
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { faultText } from './fault-text.ts';

interface Trial {
  /** Modules that plugins may import. Loaded first so that they do not count against a plugin's time limit. */
  readonly first: readonly string[];
  readonly hrefs: readonly string[];
}

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
    // A turn of the event loop: promises that start each other without end, or reject unhandled, show only now.
    await nextTurn();
    parentPort?.postMessage({ href, fault: '' });
  } catch (error) {
    parentPort?.postMessage({ href, fault: faultText(error, fileURLToPath(href)) });
  }
}
