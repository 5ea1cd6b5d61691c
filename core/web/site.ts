// The pages of a process: built once, after the server listens, for all of its tenants.
import { join } from 'node:path';
import { unavailable } from '@keelson/kit/problem.ts';
import { buildInto, findBuild, touch, type Finished, type PageProblem } from '@keelson/web-build';
import type { Logger } from 'pino';
import type { Loaded } from '../plugin/load/loaded.ts';
import type { BuiltPages, Site } from '../plugin/page/built-pages.ts';
import { besideInstallation, readSources } from './build-sources.ts';

export interface SiteOptions {
  readonly loaded: readonly Loaded[];
  /** The folder for builds: `DATA_DIR/web`. A matching build beside the installation takes precedence. */
  readonly place: string;
  readonly log: Logger;
}

export interface OpenSite extends Site {
  /** Looks for a build, and makes one if there is none. */
  begin(): void;
  finished(): Promise<Finished>;
  /** Returns an earlier build whose pages may still be open in a browser. */
  earlier(hash: string): Promise<Finished | undefined>;
  close(): Promise<void>;
}

/** Creates the pages of a process that serves requests. Reads nothing before `begin`. */
export function openSite({ loaded, place, log }: SiteOptions): OpenSite {
  const places = [besideInstallation, place];
  const { promise: begun, resolve: start } = Promise.withResolvers<void>();
  const stop = new AbortController();
  const made = begun.then(() => {
    stop.signal.throwIfAborted();
    return make();
  });
  // Page requests get the error. Log it even if there are none.
  made.catch((err: unknown) => {
    if (!stop.signal.aborted) log.error({ err }, 'web: could not build the pages');
  });
  const earlier = new Map<string, Finished>();
  let problems: readonly PageProblem[] = [];

  async function make(): Promise<Finished> {
    const since = performance.now();
    const sources = await readSources(loaded);
    const known = await findBuild(places, sources.hash);
    const finished = known ?? (await buildInto(place, sources, stop.signal));
    await touch(finished, new Date());
    const { hash } = finished.manifest;
    problems = finished.manifest.problems;
    for (const { plugin, message } of problems) log.error({ plugin }, `page left out: ${message}`);
    log.info(
      { hash, ms: Math.round(performance.now() - since) },
      known ? 'web: pages are up to date' : 'web: pages built',
    );
    return finished;
  }

  const finished = (): Promise<Finished> =>
    made.catch(() => {
      throw unavailable('The pages could not be built: see the log');
    });
  return {
    begin: start,
    finished,
    built: async () => pagesOf(await finished()),
    problems: () => problems,
    async earlier(hash) {
      const known = earlier.get(hash) ?? (await findBuild(places, hash));
      if (known) earlier.set(hash, known);
      return known;
    },
    async close() {
      stop.abort();
      start();
      // Callers that awaited the build get its error. Here it only has to finish.
      await made.catch(() => undefined);
    },
  };
}

function pagesOf({ manifest: { hash, files, problems } }: Finished): BuiltPages {
  return { hash, problems, has: (file) => Object.hasOwn(files, file) };
}

/** The pages of an application that serves none: commands, jobs, and tests without a browser. */
export const unbuilt: Site = Object.freeze({
  built: async () => ({ hash: 'unbuilt', problems: [], has: () => false }),
  problems: () => [],
});

/** Returns the folder where a process keeps its builds. */
export const buildsOf = (dataDir: string): string => join(dataDir, 'web');
