// Catches uncaught errors of third-party plugins, which would otherwise end the process for everyone (strayErrorOf).
// Our own errors still end it, because they may leave work half done.
import { inspect } from 'node:util';
import type { Logger } from 'pino';
import { strayErrorOf, type PluginPlace, type StrayError } from '../plugin/inside.ts';

/** Throttle reports: a timer may fail a thousand times a second. */
const REPORTED_MS = 60_000;

export interface PluginErrors {
  /** Sets the plugins whose errors are caught. Called before they load. */
  watch(places: readonly PluginPlace[], log?: Logger): void;
  /**
   * Passes errors to the handler, including earlier ones. From now on, unhandled rejections of any origin no longer end
   * the process.
   */
  serve(note: (error: StrayError) => Promise<void>): void;
}

/** Installs the process's handlers for uncaught errors. */
export function catchPluginErrors(): PluginErrors {
  let places: readonly PluginPlace[] = [];
  let log: Logger | undefined;
  let note: ((error: StrayError) => Promise<void>) | undefined;
  /** Write one at a time, because the errors share a row. */
  let noting = Promise.resolve();
  const reported = new Map<string, number>();
  const early: StrayError[] = [];

  /** Returns true if the process can continue. */
  const survives = (error: unknown): boolean => {
    const stray = strayErrorOf(error, places);
    if (!stray) return false;
    const { plugin, message, isApart } = stray;
    if (!isApart) log?.fatal({ plugin }, `plugin: ${message}. It interrupted code of Keelson`);
    if (!isApart || performance.now() - (reported.get(plugin) ?? -Infinity) < REPORTED_MS) return isApart;
    reported.set(plugin, performance.now());
    if (log) log.error({ err: error, plugin }, `plugin: ${message}. Callbacks of timers and sockets must catch errors`);
    else process.stderr.write(`plugin ${plugin}: ${message}\n`);
    if (note) pass(stray);
    else early.push(stray);
    return true;
  };
  const pass = (stray: StrayError) => {
    noting = noting.then(() => note?.(stray));
  };

  process.on('uncaughtException', (error) => {
    if (survives(error)) return;
    if (log) log.fatal({ err: error }, 'uncaught exception');
    else process.stderr.write(`${inspect(error)}\n`);
    process.exit(1);
  });
  process.on('unhandledRejection', (error) => {
    if (survives(error)) return;
    if (!note) throw error;
    log?.error({ err: error }, 'unhandled promise rejection');
  });
  return {
    watch(found, logger) {
      places = found;
      log = logger;
    },
    serve(taken) {
      note = taken;
      early.splice(0).forEach(pass);
    },
  };
}
