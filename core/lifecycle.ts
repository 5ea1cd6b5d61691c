// What plugins do when a process starts and ends. A module that cannot start stops it; a third party's does not.
import type { App } from './app.ts';
import type { Loaded } from './check.ts';
import { within } from './events/within.ts';

const START_SECONDS = 30;
const STOP_SECONDS = 5;

/** Starts the plugins in the order of their requirements. @throws what a module throws */
export async function startPlugins(app: App): Promise<void> {
  for (const each of app.loaded) {
    await guarded(app, each, 'start', START_SECONDS, async () => each.plugin.start?.(app));
  }
}

/** Stops them in the opposite order. */
export async function stopPlugins(app: App): Promise<void> {
  for (const each of app.loaded.toReversed()) {
    await guarded(app, each, 'stop', STOP_SECONDS, async () => each.plugin.stop?.(app));
  }
}

/** What the plugins tell the operator once the process serves. */
export async function greetings(app: App): Promise<string[]> {
  const lines: string[] = [];
  for (const each of app.loaded) {
    await guarded(app, each, 'greeting', STOP_SECONDS, async () => {
      lines.push(...((await each.plugin.greeting?.(app)) ?? []));
    });
  }
  return lines;
}

async function guarded(
  app: App,
  { plugin, source }: Loaded,
  what: string,
  seconds: number,
  work: () => Promise<void>,
): Promise<void> {
  if (source === 'module') return work();
  try {
    await within(seconds, work, `No end after ${seconds} s`);
  } catch (err) {
    app.log.error({ err, plugin: plugin.id }, `plugin: its ${what} failed`);
  }
}
