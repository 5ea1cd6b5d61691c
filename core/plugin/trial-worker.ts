// Loads plugin files where nothing they do can harm: an endless loop ends with the thread, and so does process.exit().
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { faultText } from './fault-text.ts';

interface Trial {
  /** What plugins may import: it is loaded first, and takes none of their time. */
  readonly first: readonly string[];
  readonly hrefs: readonly string[];
}

// What the process has compiled already.
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
