// Loads plugin files in a worker thread, so that an endless loop or process.exit() ends only the thread.
import { enableCompileCache } from 'node:module';
import { setTimeout as after } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import './resolve-imports.ts';
import { insidePlugin, placesOf, strayErrorOf } from '../inside.ts';
import type { Plugin } from '../plugin.ts';
import { faultsOf } from './check.ts';
import { faultText } from './fault-text.ts';
import type { Trial, TrialMessage } from './trial.ts';

/** How long the timers and promises of a file may run before the next file is loaded. */
const PAUSE_MS = 50;

// Reuse the process's compile cache.
enableCompileCache();
const { first, files, settleMs } = workerData as Trial;
for (const href of first) await import(href);

const places = placesOf(files);
let [current] = files;
const say = (message: TrialMessage) => parentPort?.postMessage(message);
/** Returns the file at fault, because a failing timer does not always belong to the file being loaded. */
const fileOf = (error: unknown) => {
  const plugin = strayErrorOf(error, places)?.plugin;
  return files.find(({ name }) => name === plugin) ?? current;
};
const blame = (error: unknown) => {
  const { href = '', file } = fileOf(error) ?? {};
  say({ what: 'fault', href, fault: faultText(error, file) });
};

process.on('uncaughtException', blame);
process.on('unhandledRejection', blame);
const exit = process.exit.bind(process);
process.exit = (code) => {
  say({ what: 'exit', href: fileOf(new Error('for its stack'))?.href ?? '' });
  return exit(code);
};
// A signal would end the process, unlike process.exit() in a thread.
process.kill = () => {
  throw new Error('process.kill() must not be called while loading');
};

for (current of files) {
  const { name, file, href } = current;
  say({ what: 'begun', href });
  try {
    const { default: plugin } = (await insidePlugin(name, () => import(href))) as { default?: Plugin };
    // Reads all members once, because a getter or proxy may throw or never return. The process handles faults.
    if (plugin?.id) faultsOf([{ plugin, source: 'plugin', file }]);
    // Promise loops, unhandled rejections and throwing timers show only now.
    await after(PAUSE_MS);
  } catch (error) {
    say({ what: 'fault', href, fault: faultText(error, file) });
  }
  say({ what: 'done', href });
}
await after(settleMs);
say({ what: 'over', href: '' });
