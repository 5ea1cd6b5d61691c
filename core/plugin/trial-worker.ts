// Loads plugin files in a worker thread, so that an endless loop or process.exit() ends only the thread.
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
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
for (const href of hrefs) {
  parentPort?.postMessage({ href });
  try {
    await import(href);
    parentPort?.postMessage({ href, fault: '' });
  } catch (error) {
    parentPort?.postMessage({ href, fault: faultText(error, fileURLToPath(href)) });
  }
}
