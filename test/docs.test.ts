// The documents are consistent: every code refers to one decision, every link has a target, every setting is described.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import test from 'ava';
import { settings } from '../config/config.ts';
import { root } from './_source.ts';

interface Text {
  /** Path relative to the repository: `docs/operate.md`. */
  readonly path: string;
  readonly text: string;
}

const documents = textsOf([
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  ...['adr', 'decisions'].flatMap((folder) =>
    readdirSync(join(root, 'docs', folder)).map((name) => `docs/${folder}/${name}`),
  ),
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]);
const folders = ['packages', 'core', 'modules', 'plugins', 'config', 'migrations', 'scripts', 'test', 'bench'];
const sources = textsOf(folders.flatMap(filesBelow));

/** Matches `V-26`, `WF-01`, `FT-06`. Excludes lookalikes: character sets, and the demo's own texts. */
const CODE = /(?<![\w-])(?!UTF-)[A-Z]{1,3}-\d{2}(?![\w-])/g;

const rows = documents
  .filter(({ path }) => path.startsWith('docs/decisions/'))
  .flatMap(({ text }) => [...text.matchAll(/^\| ([A-Z]{1,3}-\d{2}) \|/gm)].map(([, code = '']) => code));

test('every decision code belongs to one row', (t) => {
  t.deepEqual(
    rows.filter((code, at) => rows.indexOf(code) !== at),
    [],
  );
  t.true(rows.length > 700, `${rows.length} rows`);
});

test('every code in source and documents is explained in docs/decisions', (t) => {
  const known = new Set(rows);
  const used = [...sources, ...documents].flatMap(({ path, text }) =>
    (text.match(CODE) ?? []).map((code) => ({ path, code })),
  );
  t.true(used.length > 1000, `${used.length} codes`);
  t.deepEqual(
    used.filter(({ code }) => !known.has(code)).map(({ path, code }) => `${path}: ${code}`),
    [],
  );
});

test('every link in the documents works', (t) => {
  const broken = documents.flatMap((from) =>
    linksOf(from)
      .filter((link) => !leadsSomewhere(from.path, link))
      .map((link) => `${from.path}: ${link}`),
  );
  t.deepEqual(broken, []);
});

test('documents and source mention only existing documents', (t) => {
  const missing = [...sources, ...documents].flatMap(({ path, text }) =>
    [...text.matchAll(/(?<![\w/.])docs\/[\w-]+\.md/g)]
      // `npm run api-docs` generates this file.
      .filter(([name]) => name !== 'docs/api.md' && !existsSync(join(root, name)))
      .map(([name]) => `${path}: ${name}`),
  );
  t.deepEqual(missing, []);
});

test('documents mention only existing tests', (t) => {
  const missing = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/(?<![\w/.])test\/[\w/-]+\.test\.ts/g)]
      .filter(([name]) => !existsSync(join(root, name)))
      .map(([name]) => `${path}: ${name}`),
  );
  t.deepEqual(missing, []);
});

test('docs/settings.md lists every setting with its default and meaning, and no others', (t) => {
  const listed: Record<string, { default: string | null; meaning: string }> = JSON.parse(textOf('config/example.json'));
  const rowsOfSettings = [...textOf('docs/settings.md').matchAll(/^\| `([A-Z0-9_]+)` \| (.*?) \| (.*) \|$/gm)];
  const told = Object.fromEntries(
    rowsOfSettings.map(([, name = '', fallback = '', meaning = '']) => [name, { default: fallback, meaning }]),
  );
  const shown = (value: string | null) => (value === null ? '–' : value === '' ? 'empty' : `\`${value}\``);
  const expected = Object.fromEntries(
    Object.entries(listed).map(([name, its]) => [name, { default: shown(its.default), meaning: its.meaning }]),
  );
  t.deepEqual(told, expected);
  t.deepEqual(
    Object.values(settings).map(({ name }) => name),
    Object.keys(listed),
  );
});

test('README and glossary are short', (t) => {
  t.true(textOf('README.md').trimEnd().split('\n').length <= 90);
  t.true(textOf('docs/glossary.md').trimEnd().split('\n').length <= 40);
});

test('names in the glossary exist in core or a library beneath it', (t) => {
  const terms = [...textOf('docs/glossary.md').matchAll(/^\| (.*?) \|/gm)].map(([, term = '']) => term);
  const names = terms.flatMap((term) => [...term.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
  const core = sources.filter(({ path }) => /^(?:core|packages)\//.test(path));
  t.deepEqual(
    names.filter((name) => !core.some(({ text }) => new RegExp(`\\b${name}\\b`).test(text))),
    [],
  );
});

/** Returns the link targets of a document, except those in code and external links. */
function linksOf({ text }: Text): string[] {
  const prose = text.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => to).filter((to) => !/^[a-z]+:/.test(to));
}

function leadsSomewhere(from: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? from : relative(root, join(root, dirname(from), decodeURIComponent(path)));
  if (target.startsWith('..') || !existsSync(join(root, target))) return false;
  return anchor === undefined || anchorsOf(textOf(target)).includes(anchor);
}

/** Returns the heading anchors of a document as GitHub generates them: repeated ones get a number. */
function anchorsOf(text: string): string[] {
  const met = new Map<string, number>();
  const headings = text.replace(/^```.*?^```/gms, '').matchAll(/^#{1,6} (.+)$/gm);
  return [...headings].map(([, heading = '']) => {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const before = met.get(anchor) ?? 0;
    met.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && /\.(?:ts|js|md)$/.test(each.name))
    .map((each) => relative(root, join(each.parentPath, each.name)))
    .filter((path) => !path.includes('node_modules'));
}

function textsOf(paths: readonly string[]): Text[] {
  return paths.toSorted().map((path) => ({ path, text: textOf(path) }));
}

function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
