// Loads the plugins, which are the folders of modules/ and plugins/ with a plugin.ts or plugin.js, and the migrations.
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { faultsOf, inOrder, type Fault, type Loaded } from './check.ts';
import type { Migration } from '../database/migrate.ts';
import type { Plugin } from './plugin.ts';
import { withTimeout } from '../kit/timeout.ts';

export interface Installation {
  /** The plugins that run, each after those it requires. */
  readonly loaded: readonly Loaded[];
  readonly migrations: readonly Migration[];
  /** Third-party plugins that were left out, and why. */
  readonly leftOut: readonly Fault[];
}

const LOAD_SECONDS = 30;
const root = resolve(import.meta.dirname, '../..');

/**
 * Loads the modules, and the plugins of a folder. Third-party plugins with faults are left out and reported.
 * @throws Error naming every fault of the modules
 */
export async function loadInstallation(pluginsDir: string, modulesDir = 'modules'): Promise<Installation> {
  const modules = await loadFolder(resolve(root, modulesDir), 'module');
  const others = await loadFolder(resolve(root, pluginsDir), 'plugin');
  if (modules.faults.length > 0) throw new Error(sentences(modules.faults));
  const own = faultsOf(modules.loaded);
  if (own.length > 0) throw new Error(sentences(own));
  const { loaded, leftOut } = leaveOutFaulty(modules.loaded, others.loaded);
  const first = await loadMigrations();
  const further = loaded.filter(({ source }) => source === 'plugin').flatMap(({ plugin }) => plugin.migrations ?? []);
  return { loaded: inOrder(loaded), migrations: [...first, ...further], leftOut: [...others.faults, ...leftOut] };
}

export function sentences(faults: readonly Fault[]): string {
  return faults.map(({ plugin, message }) => `${plugin}: ${message}`).join('\n');
}

/** Leaves out plugins with faults until the rest has none: leaving one out may break another that requires it. */
function leaveOutFaulty(
  modules: readonly Loaded[],
  plugins: readonly Loaded[],
): { loaded: Loaded[]; leftOut: Fault[] } {
  const leftOut: Fault[] = [];
  let kept = [...plugins];
  for (;;) {
    const faults = faultsOf([...modules, ...kept]);
    if (faults.length === 0) return { loaded: [...modules, ...kept], leftOut };
    leftOut.push(...faults);
    const bad = new Set(faults.map((each) => each.plugin));
    const remaining = kept.filter(({ plugin }) => !bad.has(plugin.id));
    if (remaining.length === kept.length) return { loaded: [...modules], leftOut };
    kept = remaining;
  }
}

async function loadFolder(folder: string, source: Loaded['source']): Promise<{ loaded: Loaded[]; faults: Fault[] }> {
  const loaded: Loaded[] = [];
  const faults: Fault[] = [];
  for (const name of existsSync(folder) ? readdirSync(folder).toSorted() : []) {
    const path = ['plugin.ts', 'plugin.js'].map((each) => join(folder, name, each)).find((each) => existsSync(each));
    if (!path) continue;
    try {
      const file = withTimeout(
        LOAD_SECONDS,
        () => import(pathToFileURL(path).href),
        'its plugin file does not finish loading',
      );
      const { default: plugin } = (await file) as { default?: Plugin };
      if (!plugin?.id) throw new Error('its plugin file has no default export made by definePlugin()');
      loaded.push({ plugin, source });
    } catch (error) {
      faults.push({ plugin: name, message: error instanceof Error ? error.message : String(error) });
    }
  }
  return { loaded, faults };
}

async function loadMigrations(): Promise<Migration[]> {
  const folder = join(root, 'migrations');
  const names = readdirSync(folder)
    .filter((each) => each.endsWith('.ts'))
    .toSorted();
  const files = await Promise.all(names.map((each) => import(pathToFileURL(join(folder, each)).href)));
  return files.map((each: { default: Migration }) => each.default);
}
