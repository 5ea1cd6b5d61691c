// The pages of the console and the portal: what is served, what is left out, and the messages about it.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { admin, anyCredential, consolePart, definePlugin } from '@keelson/core';
import { openApp, startApp, type TestApp } from '@keelson/testing';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import { faultsOf } from '../../core/plugin/load/check.ts';
import { loadInstallation } from '../../core/plugin/load/load.ts';
import type { PartSpec } from '../../core/plugin/page/part.ts';
import { readSources } from '../../core/web/build-sources.ts';
import { openSite } from '../../core/web/site.ts';
import { makeFolder } from '../_folder.ts';
import { seedKey, seedTechnician, signInOnPage } from '../accounts-seed.ts';

const start = '/admin/api/v1/console.php';
const good = `import { ListPage } from '@keelson/web';
export default function Good() { return <p className="good">{String(ListPage)}</p>; }
`;

/** Creates a third-party plugin with these files in its console folder. */
function bell(t: Pick<ExecutionContext, 'teardown'>, files: Readonly<Record<string, string>>, spec: PartSpec<any>) {
  const folder = join(mkdtempSync(join(tmpdir(), 'keelson-bell-')), 'console');
  t.teardown(() => rmSync(join(folder, '..'), { recursive: true }));
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return definePlugin({ id: 'bell', title: 'Bell', console: consolePart(folder, spec) });
}

const pageAt = (path: string, file: string) => ({ path, title: path, file, access: anyCredential });

const form = "import claim from 'schema:POST /warranty/claims.php';\nexport default () => JSON.stringify(claim);\n";
const files = {
  'good.tsx': good,
  'broken.tsx': 'export default function Broken() {\n  return <p>;\n}\n',
  'curious.tsx': "import { readFileSync } from 'node:fs';\nexport default () => String(readFileSync);\n",
  'server.tsx': "import { root } from '../plugin.ts';\nexport default () => String(root);\n",
  'bell.css': '.good { color: red }',
  'form.tsx': form,
  'none.tsx': form.replaceAll('claims', 'nothing'),
};

/** An application with that plugin, built once for all tests that look at its pages. */
let belled: TestApp;
const cleanUp: (() => unknown)[] = [];
test.before(async () => {
  const plugin = bell({ teardown: (work) => void cleanUp.push(work) }, files, {
    pages: ['good', 'broken', 'curious', 'server', 'form', 'none'].map((each) => pageAt(`/bell/${each}`, each)),
    lists: [
      {
        path: '/bell/keys',
        title: 'Keys',
        access: anyCredential,
        list: 'GET /settings/api-keys.php',
        id: 'key_id',
        columns: ['name'],
      },
    ],
  });
  belled = await openApp({ web: true, plugins: [plugin] });
  belled.expectError(/page left out: (?:console|unknown operation)/);
});
test.after.always(async () => {
  await belled.close();
  for (const each of cleanUp) await each();
});

async function pagesOf(app: TestApp): Promise<{ path: string; module: string; style?: string }[]> {
  const cookie = await signInOnPage(app, await seedTechnician(app));
  return (await app.request('GET', start, { cookie })).body.data.pages;
}

test('everyone gets the same page at every console and portal URL, and inline scripts are blocked', async (t) => {
  const app = await startApp(t, { web: true });
  const page = await app.request('GET', '/admin/tickets/7?view=mine');
  t.is(page.status, 200);
  t.is(page.headers.get('cache-control'), 'no-cache');
  const policy = page.headers.get('content-security-policy') ?? '';
  t.regex(policy, /default-src 'none'; script-src 'self' 'sha256-[\w+/]{43}='; style-src 'self';/);
  t.regex(policy, /require-trusted-types-for 'script'; trusted-types worker$/);
  t.true(page.text.length < 2500, `${page.text.length}`);
  t.is((await app.request('GET', '/admin')).text, page.text);
  const cookie = await signInOnPage(app, await seedTechnician(app));
  t.is((await app.request('GET', '/admin', { cookie })).text, page.text);
  t.is((await app.request('HEAD', '/admin')).status, 200);
  t.not((await app.request('GET', '/helpdesk/tickets')).text, page.text);
  t.is((await app.request('GET', '/helpdesk/api/v1/tickets/x/y')).body.error, 'Resource not found');
  t.deepEqual((await app.request('GET', '/admin/api/v1/nothing')).body, {
    success: false,
    error: 'Resource not found',
  });
  t.is((await app.request('GET', '/admin/api')).status, 404);
  t.regex((await app.request('GET', '/admin/login')).text, /<form method="post"/);
});

test('files referenced by a page are served compressed and cached forever; nothing else is served', async (t) => {
  const app = await startApp(t, { web: true });
  const page = await app.request('GET', '/admin');
  const named = [...page.text.matchAll(/(?:href|src)="(\/web\/[^"]+)"/g)].map(([, each = '']) => each);
  const mapped = [...page.text.matchAll(/":"(\/web\/[^"]+)"/g)].map(([, each = '']) => each);
  t.is(mapped.length, 8);
  for (const path of new Set([...named, ...mapped])) {
    const file = await app.request('GET', path);
    t.is(file.status, 200, path);
    t.is(file.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    t.is(file.headers.get('x-content-type-options'), 'nosniff');
  }
  const script = named.find((each) => each.endsWith('/console.js')) ?? '';
  const encodings = async (given: string) =>
    (await fetch(app.url + script, { headers: { 'Accept-Encoding': given } })).headers.get('content-encoding');
  t.is(await encodings('gzip, deflate, br'), 'br');
  t.is(await encodings('gzip'), 'gzip');
  t.is(await encodings('identity'), null);
  const base = script.replace('console.js', '');
  for (const path of ['manifest.json', '../manifest.json', '%2e%2e/manifest.json', 'console.js.br', 'none.js', ''])
    t.is((await app.request('GET', base + path)).status, 404, path);
  t.is((await app.request('GET', '/web/0123456789abcdef/console.js')).status, 404);
  const sheet = await app.request('GET', '/web/kit.css');
  t.is(sheet.headers.get('cache-control'), 'public, max-age=300', 'for pages that the server renders');
});

test('a page that cannot be built is left out and reported; all others are served', async (t) => {
  const app = belled;
  const pages = await pagesOf(app);
  t.deepEqual(
    pages.filter(({ path }) => path.startsWith('/bell')).map(({ path }) => path),
    ['/bell/good', '/bell/form', '/bell/keys'],
  );
  t.true(pages.some(({ path }) => path === '/warranty'));
  const mine = pages.find(({ path }) => path === '/bell/good');
  const script = await app.request('GET', mine?.module ?? '');
  t.regex(script.text, /from"@keelson\/web"/);
  t.regex(script.text, /from"react\/jsx-runtime"/, 'the host’s React, whatever the plugin brings');
  const style = await app.request('GET', mine?.style ?? '');
  t.regex(style.text, /^@layer plugin \{\n@scope \(\[data-plugin='bell'\]\)/);
  const { api_key: token } = await seedKey(app, 'admin', ['settings:read']);
  const { data } = (await app.request('GET', '/admin/api/v1/settings/plugins.php', { token })).body;
  const told: string[] = data.find(({ id }: { id: string }) => id === 'bell').problems;
  t.is(told.length, 4);
  t.regex(
    told.find((each) => each.includes('broken')) ?? '',
    /^page left out: console\/broken\.tsx:3:\d+: Unexpected token/,
  );
  t.regex(told.find((each) => each.includes('curious')) ?? '', /imports node:fs, but pages import @keelson\/web/);
  t.regex(told.find((each) => each.includes('server')) ?? '', /imports \.\.\/plugin\.ts, but pages import/);
});

test('a generated page is offered only to callers of its operation, whatever its own rule says', async (t) => {
  const app = belled;
  const offered = async (role: 'administrator' | 'technician') => {
    const cookie = await signInOnPage(app, await seedTechnician(app, role));
    const { pages } = (await app.request('GET', start, { cookie })).body.data;
    return pages.some((each: { path: string }) => each.path === '/bell/keys');
  };
  t.deepEqual([await offered('administrator'), await offered('technician')], [true, false]);
});

test('identical sources give the same build; a changed page gives a new one', async (t) => {
  const plugin = bell(t, { 'good.tsx': good }, { pages: [pageAt('/bell', 'good')] });
  const { loaded } = await loadInstallation('plugins');
  const all = [...loaded, { plugin, source: 'plugin' as const }];
  const { hash } = await readSources(all);
  t.is((await readSources(all)).hash, hash);
  writeFileSync(join(plugin.console?.folder ?? '', 'good.tsx'), `${good}// more\n`);
  t.not((await readSources(all)).hash, hash);
});

test('a form’s fields come from its operation', async (t) => {
  const app = belled;
  const page = (await pagesOf(app)).find(({ path }) => path === '/bell/form');
  const { text } = await app.request('GET', page?.module ?? '');
  t.regex(text, /vendor:\{type:`string`,maxLength:120\}/);
  t.regex(text, /required:\[`company_number`,`vendor`,`product`\]/);
  t.true(
    app.app.site.problems().some(({ message }) => /unknown operation POST \/warranty\/nothing\.php/.test(message)),
  );
});

test('faults in declared pages are reported before anything is built', async (t) => {
  const { loaded } = await loadInstallation('plugins');
  const Unknown = admin.permission('bell:none', 'Nobody declares it');
  const list = { access: anyCredential, title: 'List', id: 'claim_id', columns: ['vendor'] };
  const act = { operation: 'PUT /warranty/claims.php?id={id}', access: anyCredential };
  const counted = (operation: string, member: string) =>
    ({ section: 'work', icon: 'bell', order: 1, count: { operation, member, type: 'claim' } }) as const;
  const plugin = bell(
    t,
    { 'good.tsx': good },
    {
      pages: [
        pageAt('/bell', 'good'),
        pageAt('/bell', 'good'),
        pageAt('/other', 'good'),
        pageAt('/login', 'good'),
        pageAt('/bell/none', 'none'),
        { ...pageAt('/bell/nav', 'good'), nav: { section: 'elsewhere' as never, icon: 'unicorn', order: 1 } },
        { ...pageAt('/bell/count', 'good'), nav: counted('GET /notifications.php?action=unread', 'colour') },
        { ...pageAt('/bell/one', 'good'), nav: counted('GET /warranty/claims.php?id={id}', 'vendor') },
        { ...pageAt('/bell/rule', 'good'), title: 'Rule', access: Unknown },
      ],
      panels: [{ slot: 'ticket.bottom' as never, title: 'Panel', file: 'good', access: anyCredential }],
      lists: [
        { ...list, path: '/bell/a', list: 'GET /nothing.php' },
        { ...list, path: '/bell/b', list: 'GET /warranty/claims.php', columns: ['colour'], filters: ['smell'] },
      ],
      sheets: [
        {
          path: '/bell/:id',
          title: 'Claim',
          access: anyCredential,
          read: 'GET /warranty/claims.php?id={id}',
          heading: 'taste',
          facts: ['vendor'],
          acts: [{ ...act, fields: ['state', 'sound'] }],
        },
        {
          path: '/bell/parts/:id',
          title: 'Outage',
          access: anyCredential,
          read: 'GET /outages.php?id={id}',
          heading: 'title',
          facts: [],
          parts: [{ title: 'History', field: 'status_history', columns: ['status', 'shape'], id: 'size' }],
          related: [
            {
              title: 'Claims',
              list: 'GET /warranty/claims.php',
              with: {},
              columns: [],
              create: { operation: 'POST /teams.php', access: anyCredential, fields: [] },
            },
          ],
        },
      ],
    },
  );
  const told = faultsOf([...loaded, { plugin, source: 'plugin' }]).map(({ message }) => message);
  t.deepEqual(told.toSorted(), [
    'console: /bell/none: console/none.tsx does not exist',
    'console: Rule requires bell:none, which no plugin declares',
    'console: page /bell/:id: unknown field of GET /warranty/claims.php?id={id}: taste',
    'console: page /bell/:id: unknown field of PUT /warranty/claims.php?id={id}: sound',
    'console: page /bell/a: unknown operation GET /nothing.php',
    'console: page /bell/b: unknown field of GET /warranty/claims.php: colour',
    'console: page /bell/b: unknown filter: smell',
    'console: page /bell/count: unknown field of GET /notifications.php?action=unread: colour',
    'console: page /bell/nav: unknown icon unicorn',
    'console: page /bell/nav: unknown section elsewhere',
    'console: page /bell/one: the count’s operation GET /warranty/claims.php?id={id} has parameters',
    'console: page /bell/parts/:id: POST /teams.php requires the field name, which the form does not have',
    'console: page /bell/parts/:id: unknown field of a row of status_history: shape',
    'console: page /bell/parts/:id: unknown field of a row of status_history: size',
    'console: page /login must start with /bell',
    'console: page /other must start with /bell',
    'console: panel Panel: unknown slot ticket.bottom',
    'console: path /bell is already taken by bell',
    'console: path /login is already taken by accounts',
  ]);
});

test('a process that ends before it serves requests builds no pages', async (t) => {
  const place = makeFolder(t);
  const { loaded } = await loadInstallation('plugins');
  const plugin = definePlugin({ id: 'fresh', title: 'Fresh' });
  const site = openSite({ loaded: [...loaded, { plugin, source: 'plugin' }], place, log: pino({ enabled: false }) });
  await site.close();
  t.deepEqual(readdirSync(place), []);
  await t.throwsAsync(site.finished(), { message: /could not be built/ });
});
