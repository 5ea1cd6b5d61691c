// Administrator settings: dropdown lists and colours; also the installation's plugins and jobs.
import { definePlugin, job, setting, z } from '@keelson/core';
import { openApp, startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { startPlugins } from '../../core/plugin/load/lifecycle.ts';
import { ActivityLine } from '../../packages/log/activity.ts';
import { seedTechnician, signInOnPage } from '../accounts-seed.ts';
import { asKey, staff } from '../tickets-seed.ts';

const dropdowns = '/settings/dropdowns.php';
const colors = '/settings/colors.php';
const both = ['settings:read', 'settings:write'] as const;

// Shared by tests that change nothing.
let shared: TestApp;
test.before(async () => {
  shared = await openApp();
});
test.after.always(() => shared.close());

test('Read the dropdown lists', async (t) => {
  const app = shared;
  const send = await asKey(app, ['settings:read']);
  const answer = await send('GET', dropdowns);
  t.is(answer.status, 200);
  const { data } = answer.body;
  for (const name of [
    'job_types',
    'departments',
    'asset_types',
    'asset_statuses',
    'industries',
    'lead_sources',
    'pipeline_stages',
    'payment_methods',
    'contract_types',
  ])
    t.true(data[name].length > 0, name);
  t.deepEqual(data.asset_statuses[2], {
    id: 3,
    value: 'in_repair',
    label: 'In repair',
    active: true,
    sort_order: 3,
  });
  const valuesOf = (name: string) => data[name].map((each: { value: string }) => each.value);
  t.deepEqual(valuesOf('payment_methods'), ['card', 'ach', 'check', 'cash', 'wire', 'other']);
  t.deepEqual(data.job_types[1], {
    id: 2,
    value: 'Hardware',
    label: 'Hardware',
    active: true,
    sort_order: 2,
    description: '',
    requires_approval: false,
  });
});

test('Replace dropdown lists: only those in the request, effective immediately, with a log entry', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, both);
  const before = (await send('GET', dropdowns)).body.data;
  const job_types = [
    'General',
    { value: 'Purchase', requires_approval: true, description: 'Money is spent' },
    { value: 'Hardware', label: 'Devices', active: false, sort_order: 0 },
  ];
  const answer = await send('PUT', dropdowns, { job_types, departments: ['Workshop'] });
  t.is(answer.status, 200);
  t.deepEqual(answer.body.data, {
    ...before,
    departments: [{ id: 11, value: 'Workshop', label: 'Workshop', active: true, sort_order: 1 }],
    job_types: [
      {
        id: 2,
        value: 'Hardware',
        label: 'Devices',
        active: false,
        sort_order: 0,
        description: '',
        requires_approval: false,
      },
      {
        id: 1,
        value: 'General',
        label: 'General',
        active: true,
        sort_order: 1,
        description: '',
        requires_approval: false,
      },
      {
        id: 9,
        value: 'Purchase',
        label: 'Purchase',
        active: true,
        sort_order: 2,
        description: 'Money is spent',
        requires_approval: true,
      },
    ],
  });
  const types = (await send('GET', '/job-types.php')).body.data;
  t.deepEqual(types[2], {
    job_type_id: 9,
    name: 'Purchase',
    description: 'Money is spent',
    requires_approval: true,
    active: true,
    sort_order: 2,
  });
  const lines = await app.app.database.find(ActivityLine, {
    where: { entity_type: 'dropdown' },
    order: { log_id: 'ASC' },
  });
  t.deepEqual(
    lines.map(({ action, entity_id, description }) => [action, entity_id, description]),
    [
      ['update', 'job_types', 'Job types changed'],
      ['update', 'departments', 'Departments changed'],
    ],
  );
  t.deepEqual(lines[1]?.changes['Workshop']?.[0], null);
  t.deepEqual(Object.keys(lines[0]?.changes ?? {}).includes('General'), false, 'what stayed is not in the log');
  t.is((await send('PUT', dropdowns, { departments: ['Workshop'] })).status, 200);
  t.is(
    await app.app.database.countBy(ActivityLine, { entity_type: 'dropdown' }),
    2,
    'nothing changed, nothing is logged',
  );
});

test('Replace dropdown lists: an invalid list changes nothing', async (t) => {
  const app = shared;
  const send = await asKey(app, both);
  const before = (await send('GET', dropdowns)).body;
  for (const [body, error] of [
    [{}, 'No fields to update'],
    [{ departments: 'IT' }, 'departments must be a list'],
    [{ departments: null }, 'departments must not be null'],
    [{ departments: ['Lab', ''] }, 'departments[1].value is required'],
    [{ departments: [3] }, 'departments[0] must be text or an object'],
    [{ departments: ['Lab', 'LAB'] }, 'departments[1].value is listed twice'],
    [
      { departments: ['Lab'], job_types: [{ value: 'x', requires_approval: 1 }] },
      'job_types[0].requires_approval must be true or false',
    ],
    [{ departments: ['Lab'].concat(Array(500).fill('x')) }, 'departments must contain at most 500 items'],
  ] as const) {
    const answer = await send('PUT', dropdowns, body);
    t.deepEqual([answer.status, answer.body], [400, { success: false, error }]);
  }
  const unknown = await send('PUT', dropdowns, { departments: ['Lab'], toString: ['x'] });
  t.is(unknown.status, 400);
  t.regex(unknown.body.error, /^Request body may contain only: .*departments/);
  t.deepEqual((await send('GET', dropdowns)).body, before);
});

test('Read the colours', async (t) => {
  const app = shared;
  const send = await asKey(app, ['settings:read']);
  const answer = await send('GET', colors);
  t.is(answer.status, 200);
  t.deepEqual(answer.body, {
    success: true,
    data: {
      primary_color: '#1e3a5f',
      secondary_color: '#475569',
      accent_color: '#2563eb',
      background_color: '#ffffff',
      text_color: '#0f172a',
      link_color: '#1d4ed8',
    },
  });
});

test('Change colours: the next stylesheet and bootstrap use them', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, both);
  const css = () => app.request('GET', '/helpdesk/api/v1/branding.css');
  const old = await css();
  const answer = await send('PUT', colors, { primary_color: '#0AF', link_color: '#ABCDEF', other: 1 });
  t.is(answer.status, 200);
  t.deepEqual(answer.body.data, {
    primary_color: '#00aaff',
    secondary_color: '#475569',
    accent_color: '#2563eb',
    background_color: '#ffffff',
    text_color: '#0f172a',
    link_color: '#abcdef',
  });
  const now = await css();
  t.true(now.text.includes('--primary-color: #00aaff;'));
  t.not(now.headers.get('etag'), old.headers.get('etag'));
  const { branding } = (await app.request('GET', '/helpdesk/api/v1/bootstrap')).body;
  t.is(branding.colors.link_color, '#abcdef');
  t.like(await app.app.database.findOneBy(ActivityLine, { entity_type: 'setting' }), {
    action: 'update',
    entity_id: 'branding.colors',
    changes: { primary_color: ['#1e3a5f', '#00aaff'], link_color: ['#1d4ed8', '#abcdef'] },
  });
  for (const [body, error] of [
    [{}, 'No fields to update'],
    [{ primary_color: 'red' }, 'primary_color must be a colour (#RRGGBB or #RGB)'],
    [{ primary_color: '#12345' }, 'primary_color must be a colour (#RRGGBB or #RGB)'],
    [{ text_color: '#fff;}' }, 'text_color must be a colour (#RRGGBB or #RGB)'],
    [{ text_color: null }, 'text_color must not be null'],
  ] as const) {
    const refused = await send('PUT', colors, body);
    t.deepEqual([refused.status, refused.body], [400, { success: false, error }]);
  }
});

const noisy = definePlugin({
  id: 'noisy',
  title: 'Noisy',
  version: '0.3.0',
  jobs: [
    job('noisy.fail', '0 4 * * 1', async () => {
      throw new Error('No answer from 192.0.2.1, password=hunter2');
    }),
  ],
  start: async () => {
    throw new Error('no such host');
  },
});

test('List the plugins of the installation: running and failed', async (t) => {
  const app = await startApp(t, { plugins: [noisy] });
  app.expectError(/plugin: start failed/);
  await startPlugins(app.app);
  const send = await asKey(app, ['settings:read']);
  const { status, body } = await send('GET', '/settings/plugins.php');
  t.is(status, 200);
  const of = (id: string) => body.data.find((each: { id: string }) => each.id === id);
  t.deepEqual(of('noisy'), {
    id: 'noisy',
    title: 'Noisy',
    version: '0.3.0',
    source: 'plugin',
    state: 'failed',
    problems: ['failed to start: no such host'],
    permissions: [],
    events: [],
  });
  t.like(of('tickets'), { title: 'Tickets', version: null, source: 'module', state: 'running', problems: [] });
  t.deepEqual(of('tickets').permissions, ['tickets:read', 'tickets:write', 'tickets:delete']);
  t.true(of('warranty').events.includes('warranty.filed'));
});

test('List the permissions a key can have', async (t) => {
  const app = shared;
  const send = await asKey(app, ['settings:read']);
  const { status, body } = await send('GET', '/settings/permissions.php');
  t.is(status, 200);
  const found = body.data.find((each: { name: string }) => each.name === 'settings:write');
  t.deepEqual(found, {
    name: 'settings:write',
    surface: 'admin',
    controls: 'Modify settings, workflows and webhooks',
    plugin: 'system',
  });
});

test('List the jobs: with the last run, without secrets, and the next run', async (t) => {
  const app = await startApp(t, { plugins: [noisy] });
  app.expectError(/noisy.fail.*job: failed/);
  await app.app.scheduler.runNow('noisy.fail');
  await app.app.scheduler.runNow('core.prune-keys');
  const send = await asKey(app, ['settings:read']);
  const answer = await send('GET', '/monitoring/jobs.php');
  t.is(answer.status, 200);
  const of = (name: string) => answer.body.data.find((each: { name: string }) => each.name === name);
  const { duration_ms, next_run_at, ...failed } = of('noisy.fail');
  t.deepEqual(failed, {
    name: 'noisy.fail',
    title: 'Noisy: fail',
    cron: '0 4 * * 1',
    last_run_at: '2026-03-02T09:00:00Z',
    outcome: 'failed',
    error: 'No answer from 192.0.2.1, password=…',
  });
  t.true(Number.isInteger(duration_ms));
  t.regex(next_run_at, /T04:00:00Z$/);
  t.like(of('core.prune-keys'), { outcome: 'done', error: null });
  t.like(of('core.prune-events'), { last_run_at: null, outcome: null, error: null, duration_ms: null });
  t.true((await app.fewestStatements(() => send('GET', '/monitoring/jobs.php'))) <= 6);
});

test('access to settings', async (t) => {
  const app = await startApp(t);
  const reader = await asKey(app, ['settings:read']);
  const writer = await asKey(app, ['settings:write']);
  const technician = await signInOnPage(app, await seedTechnician(app, 'technician'));
  const administrator = await signInOnPage(app, await seedTechnician(app));
  const paths = [dropdowns, colors, '/settings/plugins.php', '/settings/permissions.php', '/monitoring/jobs.php'];
  for (const path of paths) {
    t.is((await app.request('GET', staff + path)).status, 401);
    t.is((await writer('GET', path)).status, 403);
    t.is((await reader('GET', path)).status, 200);
    t.is((await app.request('GET', staff + path, { cookie: administrator })).status, 200);
    const asTechnician = await app.request('GET', staff + path, { cookie: technician });
    t.is(asTechnician.status, path.startsWith('/monitoring') ? 403 : 200);
  }
  for (const [path, body] of [
    [dropdowns, { departments: ['Lab'] }],
    [colors, { text_color: '#000' }],
  ] as const) {
    t.is((await app.request('PUT', staff + path, { body })).status, 401);
    t.is((await reader('PUT', path, body)).status, 403);
    t.is((await app.request('PUT', staff + path, { cookie: technician, body })).status, 403);
    t.is((await app.request('PUT', staff + path, { cookie: administrator, body })).status, 200);
    t.is((await writer('PUT', path, body)).status, 200);
    t.is((await writer('DELETE', path)).status, 405);
  }
});

test('the first changes of a setting by two requests at once are both kept', async (t) => {
  const app = await startApp(t);
  const shape = z.object({ left: z.int(), right: z.int() });
  for (let round = 0; round < 5; round++) {
    const pair = setting(`test.pair_${round}`, shape, { left: 0, right: 0 });
    const change = (given: object) =>
      app.run((ctx) => ctx.app.settings.change(ctx, pair, (known) => ({ ...known, ...given })));
    await Promise.all([change({ left: 1 }), change({ right: 1 })]);
    t.deepEqual((await change({})).after, { left: 1, right: 1 });
  }
});
