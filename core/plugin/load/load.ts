// Loads the migrations and the plugins: each folder in modules/ and plugins/ with a plugin.ts or plugin.js.
import { createHash, type Hash } from 'node:crypto';
import { readdirSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { migration, type Migration } from '@keelson/database/migration/migrate.ts';
import { insidePlugin } from '../inside.ts';
import type { Plugin } from '../plugin.ts';
import { faultsOf, inOrder, type CheckOptions } from './check.ts';
import { faultText } from './fault-text.ts';
import type { Fault, Loaded } from './loaded.ts';
import { filesIn, pluginsFolder, root, type PluginFile } from './plugin-files.ts';
import { tryToLoad } from './trial.ts';
import { loadWithin } from './work-limit.ts';

export interface Installation {
  /** The plugins that run, each after those it requires. */
  readonly loaded: readonly Loaded[];
  readonly migrations: readonly Migration[];
  /** Third-party plugins that were left out, with the reason. */
  readonly leftOut: readonly Fault[];
}

const LIMIT_MS = 5000;
/** How much longer `cli check` waits for timers of plugins to throw. */
const THOROUGH_MS = 2000;

export interface LoadOptions {
  readonly modulesDir?: string;
  /**
   * Loads third-party files in a worker thread first, unless the `remember` file records that they loaded before. Omit
   * it in a process that has already loaded them. Each has `limitMs`.
   */
  readonly trial?: { readonly remember?: string; readonly limitMs?: number };
  /** Checks the modules like third-party plugins: `node cli.js check`. */
  readonly thorough?: boolean;
}

/**
 * Loads the modules, and the plugins of a folder. Leaves out and reports third-party plugins with faults.
 * @throws Error naming every fault of the modules
 */
export async function loadInstallation(
  pluginsDir: string,
  { modulesDir = 'modules', trial, thorough = false }: LoadOptions = {},
): Promise<Installation> {
  const folder = pluginsFolder(pluginsDir);
  const files = filesIn(folder, 'plugin');
  // Overlaps with loading the modules.
  const own = filesIn(resolve(root, modulesDir), 'plugin');
  const tried = trial?.remember === undefined ? undefined : takeTried(folder, trial.remember);
  const settleMs = thorough ? THOROUGH_MS : 0;
  const first = own.map(({ href }) => href);
  const trying = trial && !tried?.known ? tryToLoad({ files, first, settleMs, limitMs: trial.limitMs }) : noFaults;
  const modules = await loadFiles(own, 'module');
  const others = await loadFiles(files, 'plugin', await trying);
  if (others.faults.length === 0) tried?.remember();
  if (modules.faults.length > 0) throw new Error(sentences(modules.faults));
  const checked = { modulesChecked: !thorough };
  return assemble(modules.loaded, others.loaded, ownMigrationFiles(), { faults: others.faults, checked });
}

/** Returns the product's own migrations. Third-party migrations come and go with their plugins. */
export function ownMigrations({ loaded, migrations }: Installation): Migration[] {
  const theirs = new Set(migrationsOf(loaded));
  return migrations.filter((each) => !theirs.has(each));
}

/** Returns the installation without these faulty third-party plugins and any plugins that require them. */
export function leaveOut(installation: Installation, faults: readonly Fault[]): Installation {
  const faulty = new Set(faults.map((each) => each.plugin));
  const others = installation.loaded.filter(({ plugin }) => !faulty.has(plugin.id));
  const modules = others.filter(({ source }) => source === 'module');
  return assemble(modules, others.filter(isThirdParty), ownMigrations(installation), {
    faults: [...installation.leftOut, ...faults],
    checked: { modulesChecked: true },
  });
}

/** Combines the plugins free of faults. Their migrations follow the product's own. */
function assemble(
  modules: readonly Loaded[],
  plugins: readonly Loaded[],
  own: readonly Migration[],
  { faults, checked }: { readonly faults: readonly Fault[]; readonly checked: CheckOptions },
): Installation {
  const { loaded, leftOut } = leaveOutFaulty(modules, plugins, { ...checked, leftOut: faults });
  return {
    loaded: inOrder(loaded),
    migrations: [...own, ...migrationsOf(loaded)],
    leftOut: [...faults, ...leftOut],
  };
}

const migrationsOf = (loaded: readonly Loaded[]): Migration[] =>
  loaded.filter(isThirdParty).flatMap(({ plugin }) => plugin.migrations ?? []);

const isThirdParty = ({ source }: Loaded): boolean => source === 'plugin';

export function sentences(faults: readonly Fault[]): string {
  return faults.map(({ plugin, message }) => `${plugin}: ${message}`).join('\n');
}

/**
 * Leaves out plugins with faults until none remain: leaving one out may break another that requires it.
 * @throws Error naming every fault of the modules
 */
function leaveOutFaulty(
  modules: readonly Loaded[],
  plugins: readonly Loaded[],
  checked: CheckOptions,
): { loaded: Loaded[]; leftOut: Fault[] } {
  const leftOut: Fault[] = [];
  const before = checked.leftOut ?? [];
  let kept = [...plugins];
  for (;;) {
    const faults = faultsAtStart([...modules, ...kept], { ...checked, leftOut: [...before, ...leftOut] });
    if (faults.length === 0) return { loaded: [...modules, ...kept], leftOut };
    const own = faultsAtStart(modules, checked);
    if (own.length > 0) throw new Error(sentences(own));
    leftOut.push(...faults);
    // In plain JavaScript an id may be of any type, such as a number.
    const bad = new Set(faults.map((each) => each.plugin));
    const remaining = kept.filter(({ plugin }) => !bad.has(String(plugin.id)));
    if (remaining.length === kept.length) return { loaded: [...modules], leftOut };
    kept = remaining;
  }
}

/**
 * Malformed JavaScript plugins can make the quick check throw: only the full check can say what is wrong. Getters can
 * make both throw.
 */
function faultsAtStart(loaded: readonly Loaded[], checked: CheckOptions): Fault[] {
  try {
    return faultsOf(loaded, checked);
  } catch (error) {
    const unreadable = loaded.filter(isThirdParty).flatMap(unreadableFault);
    const faults = unreadable.length > 0 ? unreadable : faultsOf(loaded, { leftOut: checked.leftOut });
    if (faults.length === 0) throw error;
    return faults;
  }
}

function unreadableFault(each: Loaded): Fault[] {
  try {
    faultsOf([each]);
    return [];
  } catch (error) {
    return [{ plugin: each.plugin.id, message: `${each.file}: ${faultText(error, each.file)}` }];
  }
}

const noFaults: ReadonlyMap<string, string> = new Map();

async function loadFiles(
  files: readonly PluginFile[],
  source: Loaded['source'],
  tried = noFaults,
): Promise<{ loaded: Loaded[]; faults: Fault[] }> {
  const loaded: Loaded[] = [];
  const faults: Fault[] = [];
  for (const { name, file, href } of files) {
    try {
      const fault = tried.get(href);
      if (fault !== undefined) throw new Error(fault);
      const load = () => (source === 'plugin' ? insidePlugin(name, () => import(href)) : import(href));
      const loading = loadWithin(LIMIT_MS, load, 'its plugin file does not finish loading');
      const { default: plugin } = (await loading) as { default?: Plugin };
      if (!plugin?.id) throw new Error('its plugin file has no default export made by definePlugin()');
      loaded.push({ plugin, source, file });
    } catch (error) {
      faults.push({ plugin: name, message: `${file}: ${faultText(error, file)}` });
    }
  }
  return { loaded, faults };
}

/**
 * The product's own migrations, named after their files. A file is imported only when its migration runs, which happens
 * once per database.
 */
function ownMigrationFiles(): Migration[] {
  const folder = join(root, 'migrations');
  const names = readdirSync(folder)
    .filter((each) => each.endsWith('.ts'))
    .toSorted();
  return names.map((file) =>
    migration(file.slice(0, -3), async (m) => {
      const { default: written } = (await import(pathToFileURL(join(folder, file)).href)) as { default: Migration };
      await written.up(m);
    }),
  );
}

// Remembers which plugin files passed their trial load, so that the next start can skip it. A trial loads the whole
// product a second time.

/** The state of a folder's files. */
interface Tried {
  readonly known: boolean;
  /** Records that the files load. If the record cannot be written, the next start tries them again. */
  remember(): void;
}

/**
 * Returns whether `file` records exactly these files, and deletes the record until `remember` is called. Files that end
 * this process while loading are therefore tried again at the next start.
 */
function takeTried(folder: string, file: string): Tried {
  const state = stateOf(folder);
  return {
    known: takeKnown(file) === state && state !== undefined,
    remember() {
      if (state === undefined) return;
      try {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, state);
      } catch {
        // Read-only folder.
      }
    },
  };
}

function takeKnown(file: string): string | undefined {
  try {
    const known = readFileSync(file, 'utf8');
    rmSync(file);
    return known;
  } catch {
    return undefined;
  }
}

/** Hashes names, sizes and times of all files except hidden ones and packages, plus the Node version. */
function stateOf(folder: string): string | undefined {
  const hash = createHash('sha256').update(`${process.version}\n`);
  try {
    addFolder(hash, folder);
  } catch {
    // A dangling link or an unreadable file.
    return undefined;
  }
  return hash.digest('hex');
}

function addFolder(hash: Hash, folder: string): void {
  for (const name of readdirSync(folder).toSorted()) {
    if (name === 'node_modules' || name.startsWith('.')) continue;
    const path = join(folder, name);
    const stat = statSync(path);
    hash.update(stat.isDirectory() ? `${name}/\n` : `${name} ${stat.size} ${stat.mtimeMs}\n`);
    if (stat.isDirectory()) addFolder(hash, path);
  }
}
