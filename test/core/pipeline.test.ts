// Plugin hooks in the request pipeline, and that they cannot bypass its checks.
import { admin, anyone, definePlugin, flat, forbidden, z } from '@keelson/core';
import { middleware } from '@keelson/core/plugin';
import { createApiKey } from '@keelson/modules/accounts';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { faultsOf } from '../../core/plugin/load/check.ts';

const spec = {
  title: 'Ring',
  access: anyone,
  returns: flat(z.object({ rung: z.boolean() })),
  handle: () => ({ rung: true }),
};

test('plugin middleware runs at its position, with the state known there', async (t) => {
  const seen: unknown[] = [];
  const bell = definePlugin({
    id: 'bell',
    title: 'Bell',
    routes: [admin.post('/bell.php', { ...spec, body: z.object({}), unlogged: true })],
    middleware: [
      middleware('received', ({ config }) => async (http, next) => {
        seen.push(['received', config.tenantSlug, http.state.actor, http.state.route?.name]);
        await next();
        seen.push(['answered', http.status]);
        http.set('X-Bell', 'rung');
      }),
      middleware('authorized', () => async (http, next) => {
        seen.push(['authorized', http.state.actor, http.state.route?.name]);
        await next();
      }),
    ],
  });
  const { request, run } = await startApp(t, { plugins: [bell] });
  const { api_key: token } = await run((ctx) => createApiKey(ctx, { type: 'admin', name: 'Bell', permissions: [] }));
  const answer = await request('POST', '/admin/api/v1/bell.php', { token, body: {} });
  t.deepEqual([answer.status, answer.headers.get('x-bell')], [200, 'rung']);
  t.deepEqual(seen.splice(0), [
    ['received', 'default', undefined, undefined],
    ['authorized', 'api', 'admin POST /bell.php'],
    ['answered', 200],
  ]);

  // A refused request never reaches the hooks after the access rule; other paths have no routes to hook.
  t.is((await request('GET', '/admin/api/v1/tickets.php')).status, 401);
  t.deepEqual(seen.splice(0), [['received', 'default', undefined, undefined]]);
  t.is((await request('GET', '/admin/api/v1/nothing.php')).status, 404);
  t.is((await request('OPTIONS', '/admin/api/v1/bell.php')).status, 204);
  t.deepEqual(seen, []);
});

test('a Problem it throws is returned in the surface’s format, and nothing runs', async (t) => {
  const guard = definePlugin({
    id: 'guard',
    title: 'Guard',
    middleware: [
      middleware('authorized', () => async (http, next) => {
        if (http.get('X-Guard') === 'closed') throw forbidden('The guard is closed');
        await next();
      }),
    ],
  });
  const { request, run } = await startApp(t, { plugins: [guard] });
  const key = { type: 'admin', name: 'Guarded', permissions: ['tickets:read'] } as const;
  const { api_key: token } = await run((ctx) => createApiKey(ctx, key));
  const path = '/admin/api/v1/tickets.php';
  t.is((await request('GET', path, { token })).status, 200);
  const refused = await request('GET', path, { token, headers: { 'X-Guard': 'closed' } });
  t.deepEqual([refused.status, refused.body], [403, { success: false, error: 'The guard is closed' }]);
});

test('the start-up check rejects middleware at an unknown position', (t) => {
  const plugin = definePlugin({
    id: 'bell',
    title: 'Bell',
    middleware: [middleware('later' as never, () => async () => {})],
  });
  const [fault] = faultsOf([{ plugin, source: 'plugin' }]);
  t.regex(fault?.message ?? '', /^middleware\.0\.at is invalid for definePlugin\(\)/);
});
