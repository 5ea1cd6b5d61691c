// The sources of a build: the parts of all plugins, and a hash of everything the build reads.
import { createHash, type Hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BuildPart, PluginWords, Sources } from '@keelson/web-build';
import { cataloguesIn, cataloguesOf, coreWords, refusalCatalogues } from '../plugin/load/catalogues.ts';
import type { Loaded } from '../plugin/load/loaded.ts';
import { operationsOf } from '../plugin/page/page-operations.ts';
import type { Part } from '../plugin/page/part.ts';
import type { Plugin } from '../plugin/plugin.ts';
import { bodyFields } from './fields.ts';
import { madePages } from './made-pages.ts';
import { termsOf } from './plugin-terms.ts';

/** Increment when the build itself changes, to invalidate earlier builds. */
const FORMAT = 7;

const root = resolve(import.meta.dirname, '../..');
/** The kit and the shells. */
export const webFolder = join(root, 'web');
/** Packages that the kit imports. */
const packages = ['packages/client', 'packages/words'] as const;
/** The output of `node cli.js web`, beside the installation. */
export const besideInstallation = join(root, '.web');

/** Reads the sources. Yields between pages, because the server is already answering requests. */
export async function readSources(loaded: readonly Loaded[]): Promise<Sources> {
  const plugins = loaded.map(({ plugin }) => plugin);
  const hash = createHash('sha256').update(JSON.stringify([FORMAT, await libraryVersions()]));
  await hashFolder(hash, webFolder);
  for (const each of packages) await hashFolder(hash, join(root, each));
  const words = [
    { plugin: 'web', catalogues: cataloguesIn(coreWords), shared: [] },
    { plugin: 'web-refusals', catalogues: refusalCatalogues(loaded), shared: [] },
    ...loaded.map(wordsOf),
  ];
  hash.update(JSON.stringify(words));
  const parts: BuildPart[] = [];
  for (const { plugin, source } of loaded) {
    for (const part of [plugin.console, plugin.portal]) {
      if (!part) continue;
      const { kind, folder, pages, panels, columns, commands } = part;
      const files = [...new Set([...pages, ...panels, ...columns, ...commands].map(({ file }) => file))];
      const wanted = await hashFolder(hash, folder);
      await nextTurn();
      const named = { plugin: plugin.id, source, kind, files };
      const made = madePages(plugins, part);
      const schemas = schemasFor(plugins, kind, wanted);
      // Excludes folder paths, which differ between machines that must get the same hash.
      hash.update(JSON.stringify({ ...named, made, schemas }));
      parts.push({ ...named, folder, made, schemas });
    }
  }
  return { hash: hash.digest('hex').slice(0, 16), web: webFolder, parts, words };
}

function wordsOf(each: Loaded): PluginWords {
  const { plugin } = each;
  const declared = [plugin.console, plugin.portal].flatMap((part) => (part ? [part] : []));
  const titled = declared.flatMap((part) => [
    ...[...part.pages, ...part.panels, ...part.columns, ...part.commands],
    ...[...part.records, ...part.lists, ...part.sheets],
  ]);
  const shared = [...titled.map(({ title }) => title), ...termsOf(plugin)];
  return { plugin: plugin.id, catalogues: cataloguesOf(each), shared };
}

/** Hashes the folder's files. Returns the operations whose bodies they import: `schema:POST /companies.php`. */
async function hashFolder(hash: Hash, folder: string): Promise<ReadonlySet<string>> {
  const wanted = new Set<string>();
  for (const path of await filesIn(folder)) {
    const bytes = await readFile(path);
    hash.update(`\0${path.slice(folder.length)}\0`).update(bytes);
    if (!path.endsWith('.tsx')) continue;
    for (const [, line = ''] of bytes.toString().matchAll(/['"]schema:([^'"]+)['"]/g)) wanted.add(line);
  }
  return wanted;
}

/** Returns the body schemas of existing operations. The build leaves out a page that imports another one. */
function schemasFor(plugins: readonly Plugin[], kind: Part['kind'], wanted: ReadonlySet<string>) {
  const operations = operationsOf(plugins, kind);
  return [...wanted].flatMap((line) => {
    const route = operations.get(line);
    return route ? [{ name: line, code: `export default ${JSON.stringify(bodyFields(route))};` }] : [];
  });
}

/** Both package.json files pin exact versions. */
function libraryVersions(): Promise<unknown[]> {
  const folders = [join(root, 'packages/web-build'), webFolder];
  return Promise.all(
    folders.map(async (each) => {
      const text = await readFile(join(each, 'package.json'), 'utf8');
      return (JSON.parse(text) as { dependencies: unknown }).dependencies;
    }),
  );
}

/** Returns the files browsers receive. Excludes type declarations. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((each) => each.isFile() && /(?<!\.d)\.(?:tsx?|css|woff2)$/.test(each.name))
    .map((each) => join(each.parentPath, each.name))
    .filter((each) => !each.slice(folder.length).includes('node_modules'))
    .toSorted();
}
