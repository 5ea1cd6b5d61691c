// Starts and stops plugins. A module that fails to start ends the process; a third-party plugin does not.
import { messageOf } from '@keelson/kit/message-of.ts';
import { withTimeout } from '@keelson/kit/timeout.ts';
import type { App } from '../app.ts';
import { insidePlugin } from '../inside.ts';
import { perApp } from '../per-app.ts';
import type { Fault, Loaded } from './loaded.ts';

const START_SECONDS = 5;
const STOP_SECONDS = 5;

/** Starts the plugins, each after those it requires. @throws any error of a module */
export async function startPlugins(app: App): Promise<void> {
  for (const each of app.loaded) {
    await guarded(app, each, 'start', START_SECONDS, async () => each.plugin.start?.(app));
  }
}

/** Tells the plugins that the process is about to stop. */
export function drainPlugins(app: App): void {
  for (const { plugin } of app.loaded) {
    try {
      plugin.drain?.(app);
    } catch (err) {
      app.log.error({ err, plugin: plugin.id }, 'plugin: drain failed');
    }
  }
}

/** Stops the plugins in reverse order. */
export async function stopPlugins(app: App): Promise<void> {
  for (const each of app.loaded.toReversed()) {
    await guarded(app, each, 'stop', STOP_SECONDS, async () => each.plugin.stop?.(app));
  }
}

/** Returns the plugins' messages for the operator, printed once the process serves. */
export async function greetings(app: App): Promise<string[]> {
  const lines: string[] = [];
  for (const each of app.loaded) {
    await guarded(app, each, 'greeting', STOP_SECONDS, async () => {
      lines.push(...((await each.plugin.greeting?.(app)) ?? []));
    });
  }
  return lines;
}

/** A plugin's state, as shown to operators (NW-17). */
export interface PluginState {
  readonly id: string;
  readonly title: string;
  readonly version: string | null;
  readonly source: 'module' | 'plugin';
  /** `failed`: start() failed, but its routes work. `left_out`: nothing of it runs. */
  readonly state: 'running' | 'failed' | 'left_out';
  readonly problems: string[];
  readonly permissions: string[];
  readonly events: string[];
}

/** Returns every loaded plugin, then those left out at start-up. */
export function pluginStates(app: App): PluginState[] {
  const problemsOf = (faults: readonly Fault[], id: string) =>
    faults.filter(({ plugin }) => plugin === id).map(({ message }) => message);
  const running = app.loaded.map(({ plugin, source }): PluginState => {
    const { id, title, version = null, permissions = [], events = [] } = plugin;
    const failures = problemsOf(unstarted(app), id);
    const state = failures.length > 0 ? 'failed' : 'running';
    const pages = problemsOf(app.site.problems(), id).map((each) => `page left out: ${each}`);
    const problems = [...failures, ...pages];
    return { id, title, version, source, state, problems, permissions: namesOf(permissions), events: namesOf(events) };
  });
  const left = [...new Set(app.leftOut.map(({ plugin }) => plugin))].map((id): PluginState => {
    const problems = problemsOf(app.leftOut, id);
    const state = 'left_out';
    return { id, title: id, version: null, source: 'plugin', state, problems, permissions: [], events: [] };
  });
  return [...running, ...left];
}

/** Third-party plugins whose start() failed. */
export const unstarted = perApp((): Fault[] => []);

const namesOf = (all: readonly { readonly name: string }[]): string[] => all.map(({ name }) => name);

async function guarded(
  app: App,
  { plugin, source }: Loaded,
  what: string,
  seconds: number,
  work: () => Promise<void>,
): Promise<void> {
  if (source === 'module') return work();
  try {
    await withTimeout(seconds, () => insidePlugin(plugin.id, work), `Not finished after ${seconds} s`);
  } catch (err) {
    if (what === 'start') unstarted(app).push({ plugin: plugin.id, message: `failed to start: ${messageOf(err)}` });
    app.log.error({ err, plugin: plugin.id }, `plugin: ${what} failed`);
  }
}
