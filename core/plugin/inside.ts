// Attributes uncaught errors to the third-party plugin that caused them: exceptions in callbacks of its timers and
// sockets, and unhandled rejections. Its start, routes, jobs and subscribers run inside the plugin's async context;
// elsewhere the stack trace identifies it.
import { AsyncLocalStorage } from 'node:async_hooks';
import { realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '@keelson/kit/message-of.ts';
import type { App } from './app.ts';
import type { Job, Subscriber } from './declaration/declare.ts';
import type { Loaded } from './load/loaded.ts';
import { root, type PluginFile } from './load/plugin-files.ts';
import { perApp } from './per-app.ts';
import type { Route } from './route/route.ts';

const running = new AsyncLocalStorage<string>();

/** Runs a third-party plugin's code. Timers and sockets that it creates are attributed to the plugin. */
export const insidePlugin = <R>(id: string, work: () => R): R => running.run(id, work);

/** Returns a plugin's jobs. */
export function jobsOf({ plugin: { id, jobs = [] }, source }: Loaded): readonly Job[] {
  if (source === 'module') return jobs;
  return jobs.map((each) => ({ ...each, run: (...given) => insidePlugin(id, () => each.run(...given)) }));
}

/** Returns a plugin's subscribers. */
export function subscribersOf({ plugin: { id, subscribers = [] }, source }: Loaded): readonly Subscriber[] {
  if (source === 'module') return subscribers;
  return subscribers.map((each) => ({ ...each, handle: (...given) => insidePlugin(id, () => each.handle(...given)) }));
}

/** Calls the handler of a route. */
export function callRoute<R>(app: App, route: Route, work: () => R): R {
  const { id } = app.ownerOf(route);
  return thirdParty(app).has(id) ? insidePlugin(id, work) : work();
}

const thirdParty = perApp(
  ({ loaded }) => new Set(loaded.flatMap(({ plugin, source }) => (source === 'plugin' ? [plugin.id] : []))),
);

/** A plugin and the real folder of its files. */
export interface PluginPlace {
  readonly id: string;
  readonly folder: string;
}

export const placesOf = (files: readonly PluginFile[]): PluginPlace[] =>
  files.map(({ name, file }) => ({ id: name, folder: realpathSync(dirname(file)) }));

export interface StrayError {
  readonly plugin: string;
  /** The error message, with file and line if known. */
  readonly message: string;
  /** Whether the callback was the plugin's own: none of our code was interrupted, so the process can continue. */
  readonly isApart: boolean;
}

/**
 * Finds the plugin that caused an error: by the files in its stack trace, or else by the async context. Call it in the
 * process's handlers for uncaught errors. Returns undefined if no plugin caused it.
 */
export function strayErrorOf(error: unknown, places: readonly PluginPlace[]): StrayError | undefined {
  const frames = framesOf(error);
  const ownerOf = ({ path }: Frame) => places.find(({ folder }) => path.startsWith(folder + sep))?.id;
  const at = frames.find((each) => ownerOf(each) !== undefined);
  const plugin = at ? ownerOf(at) : running.getStore();
  if (plugin === undefined || (!at && frames.length > 0)) return undefined;
  const text = messageOf(error);
  const outermost = frames.at(-1);
  return {
    plugin,
    message: at ? `${text} (at ${at.path}:${at.line})` : text,
    isApart: outermost === undefined || ownerOf(outermost) === plugin || !frames.some(isOurs),
  };

  function isOurs(frame: Frame): boolean {
    return frame.path.startsWith(root + sep) && !frame.path.startsWith(packages) && ownerOf(frame) === undefined;
  }
}

const packages = join(root, 'node_modules') + sep;

interface Frame {
  readonly path: string;
  readonly line: string;
}

/** The files of a stack trace, innermost first, excluding Node's own. */
function framesOf(error: unknown): Frame[] {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return stack.split('\n').flatMap((each) => {
    const [, name, line = ''] = /^ +at (?:.*\()?((?:file:\/\/)?\/[^():]+):(\d+):\d+\)?$/.exec(each) ?? [];
    return name === undefined ? [] : [{ path: name.startsWith('file:') ? fileURLToPath(name) : name, line }];
  });
}
