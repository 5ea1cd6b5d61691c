// Bundles browser code with Rolldown: the shared modules and the two shells in one build, each plugin's pages in a
// separate one. Runs in the build process only.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { rolldown, type InputOptions, type OutputChunk, type OutputOptions, type Plugin } from 'rolldown';
import { sharedModules, type BuildPart, type PageProblem } from './build-input.ts';

export interface Bundled {
  readonly chunks: readonly OutputChunk[];
  readonly problems: readonly PageProblem[];
}

const MADE = '\0made:';
const SCHEMA = 'schema:';
const FACADE = '\0facade:';

const common: InputOptions = {
  platform: 'browser',
  tsconfig: false,
  transform: { jsx: { runtime: 'automatic' }, define: { 'process.env.NODE_ENV': '"production"' } },
  // Warnings concern directives in libraries. Errors are thrown.
  logLevel: 'silent',
};

/**
 * Libraries that every page needs are bundled into one file. Others, such as a chart library, load where they are
 * imported.
 */
const libraries =
  /rolldown[\\/]runtime|[\\/]node_modules[\\/](?:react|react-dom|scheduler|@tanstack|wouter|regexparam|use-sync-external-store)[\\/]/;

/** Modules of the kit. */
const kit = /[\\/]web[\\/]kit[\\/]/;

/**
 * Smaller modules shared by several pages of a plugin are bundled into one file, so that a page loads all of them with
 * one request.
 */
const SMALL_MODULE = 5 * 1024;

const output: OutputOptions = { format: 'es', minify: true };

/**
 * Bundles the shared modules and the shells. Each shared module is a separate file that re-exports exactly the module's
 * names, because names of inner chunks are minified and not stable.
 */
export async function bundleShared(web: string): Promise<readonly OutputChunk[]> {
  const entries = Object.entries(sharedModules).map(([name, file]) => [`shared/${file}`, FACADE + name]);
  const shells = ['console', 'portal'].map((each) => [each, join(web, each, 'main.tsx')]);
  const bundle = await rolldown({
    ...common,
    cwd: web,
    input: Object.fromEntries([...entries, ...shells]),
    plugins: [facades(web)],
  });
  const { output: made } = await bundle.generate({
    ...output,
    entryFileNames: '[name].js',
    chunkFileNames: 'shared/[name]-[hash].js',
    codeSplitting: {
      groups: [
        { name: 'libraries', test: libraries },
        // Otherwise each set of entries that share modules gets a file of its own.
        { name: 'kit', test: kit, minShareCount: 2 },
      ],
    },
  });
  await bundle.close();
  return made.filter((each) => each.type === 'chunk');
}

function facades(web: string): Plugin {
  const require = createRequire(join(web, 'package.json'));
  const ofKit: ReadonlyMap<string, string> = new Map([
    ['@keelson/web', join(web, 'kit/index.ts')],
    ['@keelson/web/made', join(web, 'kit/made.ts')],
  ]);
  return {
    name: 'keelson-shared',
    resolveId: (id) => (id.startsWith(FACADE) ? id : (ofKit.get(id) ?? null)),
    load(id) {
      if (!id.startsWith(FACADE)) return null;
      const name = id.slice(FACADE.length);
      if (!name.startsWith('react')) return `export * from ${JSON.stringify(ofKit.get(name) ?? name)};`;
      // React is CommonJS, so its export names must be listed explicitly.
      const names = Object.keys(require(name) as object).filter(
        (each) => /^[a-z]\w*$/i.test(each) && each !== 'default',
      );
      return `import it from '${name}';\nexport default it;\nexport const { ${names.join(', ')} } = it;`;
    },
  };
}

/** Bundles a plugin's pages. A page with a fault is left out; the others are built. */
export async function bundlePart(part: BuildPart): Promise<Bundled> {
  const entries = [
    ...part.files.map((each) => ({ file: each, name: each, id: fileOf(part, each) })),
    ...part.made.map(({ name }) => ({ file: name, name, id: MADE + name })),
  ];
  const whole = await attempt(part, entries);
  if ('chunks' in whole) return { chunks: whole.chunks, problems: [] };
  const alone = await Promise.all(entries.map(async (entry) => ({ entry, result: await attempt(part, [entry]) })));
  const good = alone.filter(({ result }) => 'chunks' in result).map(({ entry }) => entry);
  const problems = alone.flatMap(({ entry, result }) =>
    'message' in result ? [{ plugin: part.plugin, kind: part.kind, file: entry.file, message: result.message }] : [],
  );
  const rest = good.length === 0 ? { chunks: [] } : await attempt(part, good);
  if ('chunks' in rest) return { chunks: rest.chunks, problems };
  const left = good.map(({ file }) => ({ plugin: part.plugin, kind: part.kind, file, message: rest.message }));
  return { chunks: [], problems: [...problems, ...left] };
}

interface Entry {
  readonly file: string;
  readonly name: string;
  readonly id: string;
}

async function attempt(
  part: BuildPart,
  entries: readonly Entry[],
): Promise<{ readonly chunks: readonly OutputChunk[] } | { readonly message: string }> {
  try {
    const input = Object.fromEntries(entries.map(({ name, id }) => [name, id]));
    const bundle = await rolldown({ ...common, cwd: part.folder, input, plugins: [confined(part)] });
    const folder = `${part.plugin}/${part.kind}`;
    const { output: made } = await bundle.generate({
      ...output,
      entryFileNames: `${folder}/[name].js`,
      chunkFileNames: `${folder}/[name]-[hash].js`,
      codeSplitting: { groups: [{ name: 'parts', minShareCount: 2, maxModuleSize: SMALL_MODULE }] },
    });
    await bundle.close();
    return { chunks: made.filter((each) => each.type === 'chunk') };
  } catch (error) {
    return { message: reasonOf(part, error) };
  }
}

/** Restricts imports to shared modules, files in the part's own folder, and packages the plugin brings. */
function confined(part: BuildPart): Plugin {
  const plugin = dirname(part.folder);
  const own = [part.folder + sep, join(plugin, 'node_modules') + sep];
  return {
    name: 'keelson-pages',
    async resolveId(source, importer) {
      if (source.startsWith(MADE)) return source;
      if (source.startsWith(SCHEMA)) return `\0${source}`;
      if (Object.hasOwn(sharedModules, source)) return { id: source, external: true };
      if (importer === undefined) return null;
      const found = await this.resolve(source, importer, { skipSelf: true });
      if (found && !found.external && own.some((each) => found.id.startsWith(each))) return found;
      const place = importer.startsWith(part.folder) ? shortPath(part, importer) : part.kind;
      throw new Error(
        `${place}: imports ${source}, but pages import @keelson/web, React, and files of their own folder`,
      );
    },
    load(id) {
      if (id.startsWith(MADE)) return part.made.find(({ name }) => MADE + name === id)?.code ?? null;
      if (!id.startsWith(`\0${SCHEMA}`)) return null;
      const line = id.slice(SCHEMA.length + 1);
      const found = part.schemas.find(({ name }) => name === line);
      if (!found) throw new Error(`unknown operation ${line}`);
      return found.code;
    },
  };
}

function fileOf({ folder }: BuildPart, file: string): string {
  const path = join(folder, `${file}.tsx`);
  return existsSync(path) ? path : join(folder, `${file}.ts`);
}

const shortPath = ({ folder, kind }: BuildPart, path: string): string => `${kind}${path.slice(folder.length)}`;

interface Fault {
  readonly message: string;
  readonly id?: string;
  readonly loc?: { readonly file?: string; readonly line: number; readonly column: number };
}

/** Formats a Rolldown error: its file and line, and the first line of its message, without the code frame. */
function reasonOf(part: BuildPart, error: unknown): string {
  const faults = (error as { errors?: readonly Fault[] }).errors ?? [error as Fault];
  const [first] = faults;
  if (!first) return String(error);
  // oxlint-disable-next-line no-control-regex -- terminal colours
  const lines = first.message.replaceAll(/\u001B\[[\d;]*m/g, '').split('\n');
  const said = lines.map((each) => each.trim()).filter((each) => each !== '');
  const text = (said[0] ?? 'cannot be built').replace(/^(?:Error:|\[[A-Z_]+\] ?(?:Error:)?)\s*/, '');
  const path = first.loc?.file ?? first.id;
  const place = path?.startsWith(part.folder) ? shortPath(part, path) : undefined;
  if (place === undefined || text.startsWith(place)) return text;
  return first.loc ? `${place}:${first.loc.line}:${first.loc.column}: ${text}` : `${place}: ${text}`;
}
