import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  admin,
  anyone,
  created,
  crm,
  definePlugin,
  event,
  flat,
  helpdesk,
  id,
  item,
  job,
  list,
  migration,
  noun,
  plus,
  searchable,
  setting,
  subscriber,
  table,
  text,
  view,
  z,
} from '@keelson/core';
import type { Plugin, Subscriber } from '@keelson/core/plugin';
import { startApp } from '@keelson/testing';
import test, { type ExecutionContext } from 'ava';
import { faultsOf } from '../../core/plugin/load/check.ts';
import { loadInstallation } from '../../core/plugin/load/load.ts';
import { makeFolder } from '../_folder.ts';

const root = '/admin/api/v1';
const Heard = table('bell_heard', { heard_id: id(), by: text(20) });
const Rung = event('bell.rung', z.object({ n: z.int() }));
const Note = z.object({ n: z.int() });
const never = () => new Promise<never>(() => {});

const hear = (by: string) =>
  subscriber(`bell.${by}`, Rung, async (ctx) => void (await ctx.db.insertReturningId(Heard, { by })));
const ring = admin.post('/bell/ring.php', {
  title: 'Ring',
  access: anyone,
  unlogged: true,
  returns: created(Note),
  handle: (ctx) => {
    ctx.emit(Rung, { n: 1 });
    return { n: 1 };
  },
});

function bell(more: Partial<Plugin> = {}): Plugin {
  return definePlugin({ id: 'bell', title: 'Bell', entities: [Heard], events: [Rung], ...more });
}

test('a throwing handler returns 500 in the surface’s format, reveals nothing and affects no one else', async (t) => {
  const spec = {
    title: 'Crack',
    access: anyone,
    returns: flat(Note),
    handle: () => {
      throw new Error('the bell is at /var/lib/secret');
    },
  };
  const routes = [
    helpdesk.get('/bell/crack', spec),
    crm.get('/bell/crack', spec),
    admin.get('/bell/crack.php', spec),
    admin.get('/bell/sound.php', { ...spec, handle: () => ({ n: 1 }) }),
  ];
  const { request, app, expectError } = await startApp(t, { plugins: [bell({ routes })] });
  expectError(/the bell is at.*request failed/);
  const answers = await Promise.all([
    request('GET', '/helpdesk/api/v1/bell/crack'),
    request('GET', `${root}/crm/bell/crack`),
    request('GET', `${root}/bell/crack.php`),
  ]);
  t.deepEqual(
    answers.map(({ status, body }) => ({ status, body })),
    [
      { status: 500, body: { error: 'Internal server error' } },
      { status: 500, body: { success: false, error: 'Internal server error', code: 'SERVER_ERROR' } },
      { status: 500, body: { success: false, error: 'Internal server error' } },
    ],
  );
  t.is((await request('GET', `${root}/bell/sound.php`)).status, 200);
  await app.errorLog.flush();
});

test('a handler with an undeclared response returns 500 instead of leaking', async (t) => {
  const routes = [
    admin.get('/bell/short.php', {
      title: 'Short',
      access: anyone,
      returns: item(Note),
      handle: () => JSON.parse('{}'),
    }),
    admin.get('/bell/long.php', {
      title: 'Long',
      access: anyone,
      returns: item(Note),
      handle: () => JSON.parse('{"n":1,"password_hash":"x"}'),
    }),
  ];
  const { request, expectError } = await startApp(t, { plugins: [bell({ routes })] });
  expectError(/bell\/short.*request failed/);
  t.is((await request('GET', `${root}/bell/short.php`)).status, 500);
  t.deepEqual((await request('GET', `${root}/bell/long.php`)).body, { success: true, data: { n: 1 } });
});

test('a handler that never responds does not block others for long, even if it writes', async (t) => {
  const spec = { title: 'Stick', access: anyone, unlogged: true, returns: item(Note), handle: never };
  const routes = [admin.get('/bell/stuck.php', spec), admin.post('/bell/stuck.php', spec), ring];
  const { url, request, expectError } = await startApp(t, { plugins: [bell({ routes })] });
  expectError(/bell\/stuck.*request failed/);
  const reading = new AbortController();
  const read = fetch(`${url}${root}/bell/stuck.php`, { signal: reading.signal }).catch(() => 'gone');
  t.is((await request('POST', `${root}/bell/ring.php`)).status, 201);
  reading.abort();
  t.is(await read, 'gone');

  // On SQLite, it holds the only connection and is ended before waiting requests fail; on a server, after 30 s.
  const written = fetch(`${url}${root}/bell/stuck.php`, { method: 'POST' });
  t.is((await request('POST', `${root}/bell/ring.php`)).status, 201);
  t.is((await written).status, 500);
});

const unruly: Record<string, Subscriber> = {
  'that rejects': subscriber('bell.broken', Rung, () => Promise.reject(new Error('no'))),
  'that never ends': subscriber('bell.hanging', Rung, never),
  // Stopped at its deadline, it finds its transaction closed.
  'that is always busy': subscriber('bell.busy', Rung, async (ctx) => {
    for (;;) await ctx.db.count(Heard);
  }),
};

for (const [what, bad] of Object.entries(unruly)) {
  test(`a subscriber ${what} does not affect others or requests`, async (t) => {
    const { app, clock, request } = await startApp(t, {
      plugins: [bell({ subscribers: [bad, hear('ear')], routes: [ring] })],
      deliverySeconds: 2,
    });
    app.outbox.start();
    t.is((await request('POST', `${root}/bell/ring.php`)).status, 201);
    // SQLite has one connection, which the handler holds until its deadline; a server has others.
    await eventually(async () => {
      clock.set(plus(clock.now(), { seconds: 1 }));
      return (await app.database.countBy(Heard, { by: 'ear' })) === 1;
    });
    await eventually(async () => (await request('POST', `${root}/bell/ring.php`)).status === 201);
  });
}

test('a failing job and one that never ends are reported; others run', async (t) => {
  const { promise: endless, resolve: end } = Promise.withResolvers<void>();
  const { promise: running, resolve: begun } = Promise.withResolvers<void>();
  const jobs = [
    job('bell.broken', '* * * * *', () => Promise.reject(new Error('the rope tore'))),
    job('bell.endless', '* * * * *', () => {
      begun();
      return endless;
    }),
    job('bell.good', '* * * * *', async (ctx) => void (await ctx.db.insertReturningId(Heard, { by: 'job' }))),
  ];
  const { app, expectError } = await startApp(t, { plugins: [bell({ jobs })] });
  expectError(/bell.broken.*job: failed/);
  t.teardown(end);
  void app.scheduler.runNow('bell.endless');
  await running;
  t.deepEqual(await app.scheduler.runNow('bell.broken'), { outcome: 'failed', error: 'the rope tore' });
  t.deepEqual(await app.scheduler.runNow('bell.good'), { outcome: 'done', error: null });
  const states = new Map((await app.scheduler.list()).map((each) => [each.name, each.outcome]));
  t.deepEqual(
    ['bell.broken', 'bell.endless', 'bell.good'].map((name) => states.get(name)),
    ['failed', 'running', 'done'],
  );
});

test('a plugin that fails to start is reported, and the process starts without it', async (t) => {
  const start = () => Promise.reject(new Error('no route to the bell tower'));
  const { app, request, expectError } = await startApp(t, { plugins: [bell({ routes: [ring], start, stop: start })] });
  expectError(/no route to the bell tower.*plugin: (?:start|stop) failed/);
  await t.notThrowsAsync(app.start('web'));
  t.is((await request('POST', `${root}/bell/ring.php`)).status, 201);
});

test('all faults of all plugins are reported together, each with plugin and item', (t) => {
  const Foreign = admin.permission('doors:open', 'Open doors');
  const bad = definePlugin({
    id: 'bad',
    title: 'Bad',
    requires: ['nothing'],
    entities: [table('door', { door_id: id() }), Heard],
    migrations: [migration('1795262400000-doors', async () => {})],
    permissions: [Foreign],
    events: [event('door.opened', Note)],
    settings: [setting('door.colour', z.string(), 'red')],
    jobs: [job('bad.often', 'every day', async () => {})],
    routes: [
      admin.get('/doors.php', { title: 'Open', access: Foreign, returns: item(Note), handle: () => ({ n: 1 }) }),
      admin.get('/bad/date.php', {
        title: 'Date',
        access: admin.permission('bad:read', 'Undeclared'),
        returns: item(z.object({ at: z.date() })),
        handle: () => ({ at: new Date(0) }),
      }),
      Object.freeze({ ...ring, path: '/bad/open.php', template: ring.template, access: JSON.parse('{}') }),
      admin.get('/bad/list.php', {
        title: 'List',
        access: anyone,
        returns: list(Note),
        handle: () => ({ rows: [], total: 0 }),
      }),
    ],
  });
  const faults = faultsOf([
    { plugin: bell({ routes: [ring] }), source: 'plugin' },
    { plugin: bad, source: 'plugin' },
  ]);
  t.deepEqual(new Set(faults.map((each) => each.plugin)), new Set(['bad']));
  const messages = faults.map((each) => each.message).toSorted((a, b) => (a < b ? -1 : 1));
  t.deepEqual(messages, [
    'event door.opened must start with bad.',
    'job bad.often: expected 5 or 6 fields but got 2',
    'migration 1795262400000-doors must be named <milliseconds>-bad-<words>',
    'permission doors:open must start with bad:',
    'requires nothing, which does not exist',
    'route admin GET /bad/date.php requires bad:read, which no plugin declares',
    'route admin GET /bad/date.php: at: responses cannot contain a zod date',
    'route admin GET /bad/list.php is a list without page parameters',
    'route admin GET /doors.php must start with /bad',
    'route admin POST /bad/open.php has no access rule',
    'route admin POST /bad/open.php must start with /bad',
    'setting door.colour must start with bad.',
    'table bell_heard is already taken by bell',
    'table bell_heard must start with bad_',
    'table door must start with bad_',
  ]);
});

test('two routes for the same requests are a fault, regardless of parameter names', (t) => {
  const routeOf = (path: string) =>
    helpdesk.get(path, { title: path, access: anyone, returns: item(Note), handle: () => ({ n: 1 }) });
  const plugin = bell({ routes: [routeOf('/bell/{one}'), routeOf('/bell/{two:text}')] });
  t.deepEqual(faultsOf([{ plugin, source: 'plugin' }]), [
    { plugin: 'bell', message: 'route helpdesk GET /bell/{two} is already taken by bell' },
  ]);
});

test('searched tables and result types belong to one plugin', (t) => {
  const found = (type: string) => ({ admin: { type, access: anyone, view: view(noun(Heard, { title: 'Heard' })) } });
  const searchOf = (of: typeof Heard, type: string) => [searchable(of, { title: () => '', found: found(type) })];
  const plugins = [
    definePlugin({ id: 'bell', title: 'Bell', search: searchOf(Heard, 'bells') }),
    definePlugin({ id: 'gong', title: 'Gong', search: searchOf(Heard, 'bells') }),
  ];
  t.deepEqual(faultsOf(plugins.map((plugin) => ({ plugin, source: 'module' }))), [
    { plugin: 'gong', message: 'search of bell_heard is already taken by bell' },
    { plugin: 'gong', message: 'search of admin bells is already taken by bell' },
  ]);
});

test('a broken plugin is left out and reported, with its dependents', async (t) => {
  const folder = pluginFolder(t, {
    syntax: 'export default {',
    empty: 'export const nothing = 1;',
    throwing: 'throw new Error("not today");',
    odd: `export default { id: 'odd', title: 'Odd', routes: 'all of them' };`,
    copy: `import { definePlugin, id, table } from '@keelson/core';
      export default definePlugin({ id: 'copy', title: 'Copy', entities: [table('ticket', { id: id() })] });`,
    needy: `export default { id: 'needy', title: 'Needy', requires: ['odd', 'good', 'syntax', 'nowhere'] };`,
    needier: `export default { id: 'needier', title: 'Needier', requires: ['needy'] };`,
    tickets: `export default { id: 'tickets', title: 'Not the tickets' };`,
    good: `import { definePlugin } from '@keelson/core';
      export default definePlugin({ id: 'good', title: 'Good' });`,
  });
  const { loaded, leftOut } = await loadInstallation(folder);
  const names = loaded.filter(({ source }) => source === 'plugin').map(({ plugin }) => plugin.id);
  t.deepEqual(names, ['good']);
  t.is(loaded.find(({ plugin }) => plugin.id === 'tickets')?.plugin.title, 'Tickets');
  const said = leftOut.map(({ plugin, message }) => `${plugin}: ${message}`);
  for (const expected of [
    /^syntax: /,
    /^empty: .*empty\/plugin\.ts: its plugin file has no default export made by definePlugin\(\)$/,
    /^throwing: .*throwing\/plugin\.ts: not today \(at plugin\.ts:1\)$/,
    /^odd: routes is invalid for definePlugin\(\): /,
    /^copy: table ticket is already taken by tickets$/,
    /^copy: table ticket must start with copy_$/,
    /^needy: requires odd, which is left out$/,
    /^needy: requires syntax, which is left out$/,
    /^needy: requires nowhere, which does not exist$/,
    /^needier: requires needy, which is left out$/,
    /^tickets: plugin id tickets is already taken by tickets$/,
  ]) {
    t.true(
      said.some((each) => expected.test(each)),
      `${expected} in\n${said.join('\n')}`,
    );
  }
});

test('an import with a column of an unknown type leaves out its plugin, and is named', async (t) => {
  const folder = pluginFolder(t, {
    crate: `import { admin, definePlugin, id, input, record, table, text, when } from '@keelson/core';
      import { nounImport } from '@keelson/core/record';
      const Write = admin.permission('crate:write', 'Write crates');
      const Crate = table('crate_box', { box_id: id(), label: text(99), created_at: when(), updated_at: when() });
      const CrateImport = nounImport('crate_boxes', record(Crate, { title: 'Crate' }), {
        title: 'Crates', access: Write, fields: { label: input.text(99) }, identity: ['label'],
        columns: [{ name: 'label', label: 'Label', type: 'text' }, { name: 'weight', label: 'Weight', type: 'number' }],
      });
      export default definePlugin({ id: 'crate', title: 'Crate', entities: [Crate], imports: [CrateImport] });`,
  });
  const said =
    /import crate_boxes: the column weight has the unknown type number: it must be text, email, integer, boolean, choice, date, password or amount \(at plugin\.ts:5\)$/m;
  const { leftOut } = await loadInstallation(folder);
  t.deepEqual(
    leftOut.map(({ plugin }) => plugin),
    ['crate'],
  );
  t.regex(leftOut[0]?.message ?? '', said);
});

test('a plugin that crashes its thread or has an invalid id is left out alone', async (t) => {
  const good = (name: string) => `export default { id: '${name}', title: 'Good' };`;
  const folder = pluginFolder(t, {
    alpha: good('alpha'),
    ending: 'process.exit(0);',
    five: `export default { id: 5, title: 'Five' };`,
    killing: `process.kill(process.pid, 'SIGKILL');`,
    looping: 'for (;;);',
    omega: good('omega'),
    rejecting: `Promise.reject(new Error('later')); ${good('rejecting')}`,
    // They load, and fail only while the others are tried.
    failing: `setTimeout(() => { throw new Error('too late'); }, 1); ${good('failing')}`,
    leaving: `setTimeout(() => process.exit(), 1); ${good('leaving')}`,
    spinning: `(function spin() { Promise.resolve().then(spin); })(); ${good('spinning')}`,
    typing: `export default { id: 'typing', title: 'Typing', route: [] };`,
    waiting: 'await new Promise(() => {}); export default 1;',
    zeta: good('zeta'),
    // They fail while the next file is tried, which must not be blamed.
    'zeta-exits': `setTimeout(() => process.exit(), 60); ${good('zetaexits')}`,
    'zeta-next': `await new Promise((done) => setTimeout(done, 100)); ${good('zetanext')}`,
    'zeta-throws': `setTimeout(() => { throw 'a text'; }, 60); ${good('zetathrows')}`,
    'zeta-works': `await new Promise((done) => setTimeout(done, 100)); ${good('zetaworks')}`,
    // Their members throw when read.
    getter: `export default { id: 'getter', title: 'Getter', get routes() { throw new Error('unreadable'); } };`,
    endless: `export default { id: 'endless', title: 'Endless', get jobs() { for (;;); } };`,
    proxy: `export default new Proxy({ id: 'proxy', title: 'P' }, { ownKeys() { throw new Error('no keys'); } });`,
    // Keeps its thread alive.
    ticking: `import { workerData } from 'node:worker_threads';
      if (workerData?.settleMs === 0) setInterval(() => {}, 1000); ${good('ticking')}`,
  });
  // No file needs a module, and each thread would load them all again.
  const modulesDir = pluginFolder(t, {});
  const { loaded, leftOut } = await loadInstallation(folder, { trial: { limitMs: 2000 }, modulesDir });
  const names = loaded.filter(({ source }) => source === 'plugin').map(({ plugin }) => plugin.id);
  t.deepEqual(names, ['alpha', 'omega', 'ticking', 'zeta', 'zetanext', 'zetaworks']);
  const said = new Map(leftOut.map(({ plugin, message }) => [plugin, message]));
  t.regex(said.get('ending') ?? '', /ending\/plugin\.ts: it exits the process while loading: look for process\.exit/);
  t.regex(
    said.get('looping') ?? '',
    /looping\/plugin\.ts: it did not finish loading within 2 s: look for an infinite loop/,
  );
  t.regex(said.get('killing') ?? '', /killing\/plugin\.ts: process\.kill\(\) must not be called/);
  t.regex(said.get('rejecting') ?? '', /rejecting\/plugin\.ts: later/);
  t.regex(said.get('spinning') ?? '', /spinning\/plugin\.ts: it did not finish loading within 2 s/);
  t.regex(said.get('failing') ?? '', /failing\/plugin\.ts: too late/);
  t.regex(said.get('leaving') ?? '', /leaving\/plugin\.ts: it exits the process/);
  t.regex(said.get('waiting') ?? '', /waiting\/plugin\.ts: it (?:exits the process|did not finish)/);
  t.regex(said.get('zeta-exits') ?? '', /it exits the process/);
  t.regex(said.get('zeta-throws') ?? '', /zeta-throws\/plugin\.ts: a text/);
  t.regex(said.get('getter') ?? '', /getter\/plugin\.ts: unreadable \(at plugin\.ts:1\)/);
  t.regex(said.get('endless') ?? '', /endless\/plugin\.ts: it did not finish loading within 2 s/);
  t.regex(said.get('proxy') ?? '', /proxy\/plugin\.ts: no keys \(at plugin\.ts:1\)/);
  t.regex(said.get('5') ?? '', /^id is invalid for definePlugin\(\)/);
  t.is(said.get('typing'), 'route is not a property of definePlugin(): did you mean routes?');
});

test('a plugin file has five seconds to load', async (t) => {
  const folder = pluginFolder(t, { waiting: 'setInterval(() => {}, 1000); await new Promise(() => {});' });
  const { leftOut } = await loadInstallation(folder, { trial: {}, modulesDir: pluginFolder(t, {}) });
  t.regex(leftOut[0]?.message ?? '', /waiting\/plugin\.ts: it did not finish loading within 5 s: look for/);
});

test('plugins that loaded before are tried again only after their files change', async (t) => {
  const place = makeFolder(t);
  const [remember, loads] = [join(place, 'tried'), join(place, 'loads')];
  const note = `import { appendFileSync } from 'node:fs';
    appendFileSync(${JSON.stringify(loads)}, 'loaded ');
    export default { id: 'noting', title: 'Noting' };`;
  const folder = pluginFolder(t, { noting: note });
  const load = async () => {
    const { leftOut } = await loadInstallation(folder, { trial: { remember } });
    t.deepEqual(leftOut, []);
    return readFileSync(loads, 'utf8').trim().split(' ').length;
  };
  t.is(await load(), 2, 'in the thread and here, where it stays');
  t.is(await load(), 2);
  writeFileSync(join(folder, 'noting', 'more.ts'), '// A file more.');
  t.is(await load(), 3);
  // A start-up aborted by loaded code leaves no record behind.
  rmSync(remember);
  t.is(await load(), 4);
});

test('a plugin with a getter that throws is left out alone, even without a trial load', async (t) => {
  const folder = pluginFolder(t, {
    getter: `export default { id: 'getter', title: 'Getter', get routes() { throw new Error('unreadable'); } };`,
    good: `export default { id: 'good', title: 'Good' };`,
  });
  const { loaded, leftOut } = await loadInstallation(folder);
  t.deepEqual(
    leftOut.map(({ plugin }) => plugin),
    ['getter'],
  );
  t.true(loaded.some(({ plugin }) => plugin.id === 'good'));
});

test('a broken module stops start-up', async (t) => {
  const folder = pluginFolder(t, { odd: `export default { id: 'odd', title: 'Odd', routes: 'all of them' };` });
  const error = await t.throwsAsync(loadInstallation('plugins', { modulesDir: folder }));
  t.regex(error?.message ?? '', /^odd: routes is invalid for definePlugin\(\): /);
  const unreadable = pluginFolder(t, { syntax: 'export default {' });
  await t.throwsAsync(loadInstallation('plugins', { modulesDir: unreadable }), { message: /^syntax: / });
});

/** Creates a folder of single-file plugins that resolve @keelson/core as those in plugins/ do. */
function pluginFolder(t: ExecutionContext, plugins: Record<string, string>): string {
  const folder = makeFolder(t);
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  for (const [name, content] of Object.entries(plugins)) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'plugin.ts'), content);
  }
  return folder;
}

async function eventually(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds().catch(() => false))) await new Promise((done) => setTimeout(done, 100));
}
