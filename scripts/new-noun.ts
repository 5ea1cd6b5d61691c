// `npm run new-noun <module> <name>`: adds a noun to a module: table, record, five routes, list and record page,
// migration and test. `npm run new-noun inventory gadget` gives /admin/gadgets and /gadgets.php, which work as they
// are.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Names {
  readonly module: string;
  /** In code: `gadget`, `fire_door`. */
  readonly noun: string;
  readonly nouns: string;
  /** In file names and paths: `fire-doors`. */
  readonly file: string;
  /** In type names: `FireDoor`, `FireDoors`. */
  readonly One: string;
  readonly Many: string;
  /** In text for people: `Fire door`, `fire doors`. */
  readonly title: string;
  readonly several: string;
  /** The permissions used by the module's other pages, and where they are imported from. */
  readonly Read: string;
  readonly Write: string;
  readonly from: string;
  /** The names of the permissions: `contracts:read`. */
  readonly permissions: readonly string[];
}

/**
 * Adds a noun to a module and returns the paths of the files that it wrote and changed. Nothing is written if it fails.
 * @param milliseconds the number of the migration
 * @throws Error in one sentence
 */
export function newNoun(root: string, module: string, name: string, milliseconds: number): string[] {
  const folder = join(root, 'modules', module);
  if (!existsSync(join(folder, 'plugin.ts'))) throw new Error(`Unknown module ${module}`);
  if (!/^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/.test(name))
    throw new Error(`${name} must be words in lower case, joined by hyphens: fire-door`);
  const names = namesOf(folder, module, name);
  const routes = existsSync(join(folder, 'routes/admin')) ? 'routes/admin' : 'routes';
  const migration = `${milliseconds}-${names.file}`;
  const made: Readonly<Record<string, string>> = {
    [`modules/${module}/${names.file}/entities.ts`]: entityText(names),
    [`modules/${module}/${names.file}/${names.file}.ts`]: recordText(names),
    [`modules/${module}/${routes}/${names.file}.ts`]: routesText(names, routes),
    [`migrations/${migration}.ts`]: migrationText(names, migration),
    [`test/admin/${names.file}.test.ts`]: testText(names),
  };
  for (const path of Object.keys(made)) if (existsSync(join(root, path))) throw new Error(`${path} already exists`);
  const changed = [
    edit(root, `modules/${module}/plugin.ts`, (text) => declared(text, names, routes)),
    edit(root, `modules/${module}/console/pages.ts`, (text) => opened(text, 'lists', listText(names))),
    edit(root, sheetsFile(root, module), (text) => withSheet(text, sheetText(names))),
    edit(root, 'test/_access-ids.ts', (text) =>
      text.replace(/^( {2}'admin \/vendors\.php\?id')/m, `${idText(names)}$1`),
    ),
  ];
  for (const [path, text] of Object.entries(made)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  for (const { path, text } of changed) writeFileSync(join(root, path), text);
  return [...new Set([...Object.keys(made), ...changed.map((each) => each.path)])];
}

function namesOf(folder: string, module: string, name: string): Names {
  const words = name.split(/[-_]/);
  const last = words.at(-1) ?? '';
  const plural = /[^aeiou]y$/.test(last)
    ? `${last.slice(0, -1)}ies`
    : /(?:s|x|ch|sh)$/.test(last)
      ? `${last}es`
      : `${last}s`;
  const many = [...words.slice(0, -1), plural];
  const capital = (word: string) => (word[0]?.toUpperCase() ?? '') + word.slice(1);
  const pages = readFileSync(join(folder, 'console/pages.ts'), 'utf8');
  const [imported = '', from = ''] = /import \{[^}]*\bRead\w+[^}]*\bWrite\w+[^}]*\} from '([^']+)'/.exec(pages) ?? [];
  const [Read = ''] = /\bRead\w+/.exec(imported) ?? [];
  const [Write = ''] = /\bWrite\w+/.exec(imported) ?? [];
  if (!Read || !Write)
    throw new Error(`No permissions Read… and Write… are imported by modules/${module}/console/pages.ts`);
  const owner = from.startsWith('.') ? folder : join(folder, '..', from.split('/').at(-1) ?? '');
  const known = readFileSync(join(owner, 'permissions.ts'), 'utf8');
  const nameOf = (each: string) => new RegExp(`\\b${each} = admin\\.permission\\(\\s*'([\\w:-]+)'`).exec(known)?.[1];
  const [read, write] = [nameOf(Read), nameOf(Write)];
  if (!read || !write) throw new Error(`${Read} and ${Write} are not permissions of the administrative interface`);
  return {
    module,
    noun: words.join('_'),
    nouns: many.join('_'),
    file: many.join('-'),
    One: words.map(capital).join(''),
    Many: many.map(capital).join(''),
    title: capital(words.join(' ')),
    several: many.join(' '),
    Read,
    Write,
    from,
    permissions: [read, write],
  };
}

interface Edited {
  readonly path: string;
  readonly text: string;
}

function edit(root: string, path: string, change: (text: string) => string): Edited {
  const before = readFileSync(join(root, path), 'utf8');
  const text = change(before);
  if (text === before)
    throw new Error(`${path} does not follow the usual layout: add the noun by hand, see docs/extend.md`);
  return { path, text };
}

/** Adds the table and the routes to a plugin's declaration. */
function declared(text: string, { One, Many, file }: Names, routes: string): string {
  const variable = `${Many[0]?.toLowerCase() ?? ''}${Many.slice(1)}Routes`;
  const imports = `import { ${One} } from './${file}/entities.ts';\nimport ${variable} from './${routes}/${file}.ts';\n`;
  const entities = /\n {2}entities: \[/;
  if (!entities.test(text) || !/\n {2}routes: (?:\[|\w+,)/.test(text)) return text;
  return text
    .replace(/\n\nexport default definePlugin/, `\n${imports}\nexport default definePlugin`)
    .replace(entities, `$&${One}, `)
    .replace(/\n {2}routes: (\w+),/, '\n  routes: [...$1],')
    .replace(/\n {2}routes: \[/, `$&...${variable}, `);
}

/** Adds an entry at the start of `lists` or `sheets`. */
const opened = (text: string, list: string, entry: string): string =>
  text.replace(new RegExp(`\\b${list}(?:: [^=\\n]+ =| =|:) \\[`), (start) => `${start}\n${entry}`);

/** Adds a record page, in a new list if the module has none. */
function withSheet(text: string, entry: string): string {
  const added = opened(text, 'sheets', entry);
  return added === text ? text.replace(/\n\}\);\n$/, `\n  sheets: [\n${entry}\n  ],\n});\n`) : added;
}

function sheetsFile(root: string, module: string): string {
  const own = `modules/${module}/console/sheets.ts`;
  return existsSync(join(root, own)) ? own : `modules/${module}/console/pages.ts`;
}

const columns = ({ noun }: Names) => `{
    ${noun}_id: id(),
    name: text(255),
    notes: text().default(''),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable(),
  }`;
const indices = ({ noun }: Names) => `[['name', '${noun}_id', 'deleted_at']]`;

const entityText = (names: Names) => `import { id, table, text, when, type Row } from '@keelson/core';

export const ${names.One} = table('${names.noun}', ${columns(names).replace('.nullable()', '.nullable().hidden()')}, ${indices(names)});
export type ${names.One} = Row<typeof ${names.One}>;
`;

const recordText = ({ One, Many, title }: Names) => `import { by, record, view } from '@keelson/core';
import { ${One} } from './entities.ts';

export const ${Many} = record(${One}, {
  title: '${title}',
  call: ({ name }) => name,
  sorts: { name: by('name') },
  order: 'asc',
});

export const ${One}Item = view(${Many});
`;

function routesText({ One, Many, title, several, file, Read, Write, from }: Names, routes: string): string {
  const up = '../'.repeat(routes.split('/').length);
  return `import { admin, input, nounRoutes } from '@keelson/core';
import { ${Read}, ${Write} } from '${from.startsWith('.') ? `${up}permissions.ts` : from}';
import { ${One}Item, ${Many} } from '${up}${file}/${file}.ts';

export default nounRoutes(admin, '/${file}.php?id={id}', ${Many}, {
  titles: {
    list: 'List ${several}',
    create: 'Create a ${title.toLowerCase()}',
    read: 'Read a ${title.toLowerCase()}',
    update: 'Update a ${title.toLowerCase()}',
    delete: 'Delete a ${title.toLowerCase()}',
  },
  addition: true,
  read: ${Read},
  write: ${Write},
  view: ${One}Item,
  fields: { name: input.text(255), notes: input.optionalLongText() },
});
`;
}

const migrationText = (names: Names, migration: string) => `// Adds ${names.several}.
import { migration } from '../packages/database/migration/migrate.ts';
import { id, text, when } from '../packages/database/schema/table.ts';

export default migration('${migration}', async (m) => {
  await m.createTable('${names.noun}', ${columns(names)}, ${indices(names)});
});
`;

const listText = ({ file, title, several, noun, Read, Write }: Names) => `    {
      path: '/${file}',
      title: '${(several[0]?.toUpperCase() ?? '') + several.slice(1)}',
      access: ${Read},
      nav: { section: 'work', icon: 'file', order: 90 },
      list: 'GET /${file}.php',
      id: '${noun}_id',
      columns: ['name', 'created_at'],
      open: '/${file}/:id',
      create: { title: 'New ${title.toLowerCase()}', operation: 'POST /${file}.php', access: ${Write} },
    },`;

const sheetText = ({ file, title, Read, Write }: Names) => `    {
      path: '/${file}/:id',
      title: '${title}',
      access: ${Read},
      read: 'GET /${file}.php?id={id}',
      heading: 'name',
      facts: ['created_at', 'updated_at'],
      texts: ['notes'],
      change: { operation: 'PUT /${file}.php?id={id}', access: ${Write} },
      remove: { operation: 'DELETE /${file}.php?id={id}', access: ${Write} },
    },`;

const idText = ({ file, title }: Names) =>
  `  'admin /${file}.php?id': ({ make }) => make('admin', '/${file}.php', { name: unique('${title}') }),\n`;

const testText = ({
  file,
  title,
  several,
  noun,
  permissions,
}: Names) => `import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { asKey } from '../tickets-seed.ts';

const path = '/${file}.php';
const at = (id: number) => \`\${path}?id=\${id}\`;

let app: TestApp;
let send: Awaited<ReturnType<typeof asKey>>;
test.before(async () => {
  app = await openApp();
  send = await asKey(app, [${permissions.map((each) => `'${each}'`).join(', ')}]);
});
test.after.always(() => app.close());

test.serial('Create a ${title.toLowerCase()}: returns the full record, and invalid input is reported', async (t) => {
  const made = await send('POST', path, { name: 'First', notes: 'In the cellar' });
  t.is(made.status, 201);
  t.like(made.body.data, { name: 'First', notes: 'In the cellar' });
  t.is((await send('POST', path, {})).body.error, 'name is required');
});

test.serial('List ${several}, read one, update it and delete it', async (t) => {
  const { ${noun}_id } = (await send('POST', path, { name: 'Second' })).body.data;
  const names = (await send('GET', path)).body.data.map((each: { name: string }) => each.name);
  t.deepEqual(names, ['First', 'Second']);
  t.is((await send('GET', at(${noun}_id))).body.data.name, 'Second');
  t.is((await send('PUT', at(${noun}_id), { notes: 'Moved' })).body.data.notes, 'Moved');
  t.is((await send('DELETE', at(${noun}_id))).status, 204);
  t.is((await send('GET', at(${noun}_id))).status, 404);
});
`;

if (import.meta.main) {
  const [, , module = '', name = ''] = process.argv;
  try {
    const files = newNoun(join(import.meta.dirname, '..'), module, name, Date.now());
    console.log(
      `${files.join('\n')}\nNext: npm run format, node cli.js check, npx ava test/admin/${files[0]?.split('/')[2]}.test.ts`,
    );
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
