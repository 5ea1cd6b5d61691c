// Runs the plugin guide: the checks accept the plugin after every step, and the final one passes its test.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { panelSlots } from '../core/plugin/page/part.ts';
import { apiPage } from '../scripts/api-docs/page.ts';
import { full } from './_random.ts';
import { copyInstallation } from './core/_installation.ts';

/** Each test loads a copy of the product or runs the compiler: ten seconds of CPU. */
const inFull = full ? test : test.skip;

const guide = readFileSync('plugins/README.md', 'utf8');
const blocks = [...guide.matchAll(/^```ts (\w+)\n(.*?)^```$/gms)].map(([, kind = '', code = '']) => ({ kind, code }));

/** Returns the plugin's file after each step: the imports, everything so far, and the step's declaration. */
function steps(): string[] {
  let head = '';
  return blocks.flatMap(({ kind, code }) => {
    if (kind === 'imports' || kind === 'add') head += `${code}\n`;
    return kind === 'plugin' ? [head + code] : [];
  });
}

/** Loads each step as an installation does; prints the accepted plugins, or the reasons for rejection. */
const checkSteps = `import('./core/plugin/load/load.ts').then(async ({ loadInstallation }) => {
  for (let i = 0; i < 6; i++) {
    const { loaded, leftOut } = await loadInstallation('steps/' + i);
    const ids = loaded.filter(({ source }) => source === 'plugin').map(({ plugin }) => plugin.id);
    console.log(...ids, ...leftOut.map(({ message }) => message));
  }
})`;

/** Only in a full run on SQLite: compiling dominates these tests, and types do not depend on the database. */
async function checkTypes(t: ExecutionContext, folder: string, node: (...args: string[]) => Promise<string>) {
  if (!full || process.env['TEST_DATABASE_URL']) return;
  const options = JSON.parse(readFileSync('tsconfig.json', 'utf8'));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...options, include: ['plugins'] }));
  await t.notThrowsAsync(node('node_modules/typescript/bin/tsc'));
}

test('the guide’s plugin is accepted at every step, migrates, type-checks and passes its test', async (t) => {
  const { folder, cli, ava, node } = copyInstallation(t);
  const file = join(folder, 'plugins/warranty/plugin.ts');
  mkdirSync(join(folder, 'plugins/warranty/test'), { recursive: true });
  t.is(steps().length, 6);
  for (const [i, text] of steps().entries()) {
    mkdirSync(join(folder, `steps/${i}/warranty`), { recursive: true });
    writeFileSync(join(folder, `steps/${i}/warranty/plugin.ts`), text);
    writeFileSync(file, text);
  }
  t.is(await node('-e', checkSteps), 'warranty\n'.repeat(6));
  t.regex(await cli('check'), /no problems found/);
  t.regex(await cli('migrate'), /The database is up to date/);
  writeFileSync(
    join(folder, 'plugins/warranty/test/warranty.test.ts'),
    blocks.find(({ kind }) => kind === 'test')?.code ?? '',
  );
  t.regex(await ava('plugins/warranty/test/warranty.test.ts'), /2 tests passed/);
  await checkTypes(t, folder, node);
});

inFull('the guide’s plugin takes what the guide has besides the steps, and type-checks', async (t) => {
  const { folder, cli, node } = copyInstallation(t);
  mkdirSync(join(folder, 'plugins/warranty'), { recursive: true });
  const besides = ['attachments', 'reports'];
  const code = blocks.filter(({ kind }) => besides.includes(kind)).map((each) => each.code);
  t.is(code.length, besides.length);
  const last = steps().at(-1) ?? '';
  const keys = '  jobs: [chase],\n  attachments: [ClaimAttachments],\n  reports: [ClaimReport, OwnClaimReport],\n';
  const text = last
    .replace('export default', () => `${code.join('\n')}\nexport default`)
    .replace('  jobs: [chase],\n', () => keys);
  t.true(text.includes(keys));
  writeFileSync(join(folder, 'plugins/warranty/plugin.ts'), text);
  t.regex(await cli('check'), /no problems found/);
  const asked = `import('./core/plugin/load/load.ts').then(async ({ loadInstallation }) => {
    const { loaded } = await loadInstallation('plugins');
    const { reports, attachments } = loaded.find(({ plugin }) => plugin.id === 'warranty').plugin;
    console.log(...reports.map((each) => each.surface + ' ' + each.name), attachments.length);
  })`;
  t.is(await node('-e', asked), 'admin warranty_claims helpdesk warranty_claims 1\n');
  await checkTypes(t, folder, node);
});

inFull('the guide’s plugin with a search is accepted, and its claims are found', async (t) => {
  const { folder, cli, ava, node } = copyInstallation(t);
  mkdirSync(join(folder, 'plugins/warranty/test'), { recursive: true });
  const declared = blocks.find(({ kind }) => kind === 'search')?.code ?? '';
  const text = (steps().at(-1) ?? '')
    .replace('export default definePlugin({', `${declared}\nexport default definePlugin({\n  search: [ClaimSearch],`)
    .replace("state: its.is('state') }", "state: its.is('state'), search: searched(Claim) }")
    .replace('import { searchable }', 'import { searchable, searched }');
  t.regex(text, /search: searched/);
  writeFileSync(join(folder, 'plugins/warranty/plugin.ts'), text);
  t.regex(await cli('check'), /no problems found/);
  const tests = (blocks.find(({ kind }) => kind === 'test')?.code ?? '').replace(
    "  t.is((await request('GET', `${path}?state=accepted`",
    `  const found = await request('GET', '/admin/api/v1/search.php?q=acm&types=claims', { token });
  t.deepEqual([found.body.data.total, found.body.data.claims[0].claim_id], [1, claim_id]);
  t.is((await request('GET', '/admin/api/v1/search.php?q=acm', { token })).body.data.claims.length, 1);
  t.is((await request('GET', \`\${path}?search=acme\`, { token })).body.pagination.total, 1);
  t.is((await request('GET', '/admin/api/v1/search.php?q=acne&types=claims', { token })).body.data.total, 0);
$&`,
  );
  t.regex(tests, /types=claims/);
  writeFileSync(join(folder, 'plugins/warranty/test/warranty.test.ts'), tests);
  t.regex(await ava('plugins/warranty/test/warranty.test.ts'), /2 tests passed/);
  await checkTypes(t, folder, node);
});

inFull('the guide’s plugin with TypeORM is accepted, migrates without drift and type-checks', async (t) => {
  const { folder, cli, node } = copyInstallation(t);
  mkdirSync(join(folder, 'plugins/acme'));
  const text = blocks.find(({ kind }) => kind === 'typeorm')?.code ?? '';
  writeFileSync(join(folder, 'plugins/acme/plugin.ts'), text);
  t.regex(await cli('check'), /no problems found/);
  t.regex(await cli('migrate'), /The database is up to date/);
  await checkTypes(t, folder, node);
});

inFull('the reference has a heading and an example for everything that an entry exports', async (t) => {
  const reference = apiPage(process.cwd()).text;
  const documented = new Map(
    [...reference.matchAll(/^### (\w+)\n[^]*?^```ts\n([^]*?)^```$/gm)].map(([, name, code = '']) => [name, code]),
  );
  const { exports } = JSON.parse(readFileSync('core/package.json', 'utf8')) as { exports: Record<string, string> };
  const entries = await Promise.all(
    Object.keys(exports).map((each) => import(`@keelson/core${each.slice(1)}`) as Promise<object>),
  );
  const names = entries.flatMap((each) => Object.keys(each));
  t.true(names.length > 250, `${names.length} names`);
  t.deepEqual(
    names.filter((name) => !documented.get(name)?.includes('\n\n')),
    [],
  );
});

test('the guide documents every slot with its props', async (t) => {
  const rows = [...guide.matchAll(/^\| `([a-z]+\.[a-z]+)` +\| [^|]+\| (?:`(\w+)`|none)/gm)];
  t.deepEqual(
    rows.map(([, name]) => name),
    [...panelSlots],
  );
  const places = Array.fromAsync(glob('{web,modules}/**/*.tsx'), (file) => readFileSync(file, 'utf8'));
  const given = new Map(
    (await places).flatMap((text) =>
      [...text.matchAll(/<Slot name="([\w.]+)"(?: (\w+)=)?/g)].map(([, name, prop]) => [name, prop] as const),
    ),
  );
  // Built from a declaration, as in web/kit/generic/generic-record.tsx.
  for (const each of ['contact.side', 'contract.side', 'network.side', 'calendar.side', 'lead.side', 'portal.person'])
    given.set(each, 'record');
  // Panels shown as tabs, as in modules/directory/console/company-tabs.tsx.
  given.set('company.tab', 'company');
  for (const [, name, prop] of rows) t.is(given.get(name), prop, name);
});
