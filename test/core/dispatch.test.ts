import { admin, anyone, definePlugin, flat, helpdesk, z } from '@keelson/core';
import type { Route } from '@keelson/core/plugin';
import { createApiKey } from '@keelson/modules/accounts';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { allowedMethods, choose, type PathRoutes } from '../../core/http/routing/php-actions.ts';
import { compileRoutes, routerOf } from '../../core/http/routing/routes.ts';
import { parseTemplate, plainPath } from '../../core/plugin/route/path-template.ts';
import { Problem } from '../../packages/kit/problem.ts';
import { assertProperty, fc } from '../_random.ts';

const spec = { title: 'x', access: anyone, returns: flat(z.object({})), handle: () => ({}) };
const h = (path: string): Route => helpdesk.get(path, spec);

/** Returns what the helpdesk router resolves for a request: the routes of its path and the path parameters. */
async function served(routes: readonly Route[], path: string) {
  let found: { routes: readonly Route[]; values: string[] } | undefined;
  const note = (http: { params: Record<string, string>; state: { path: PathRoutes } }) => {
    found = { routes: http.state.path.routes, values: Object.values(http.params) };
  };
  const [face] = compileRoutes([definePlugin({ id: 'one', title: 'One', routes })]).all;
  if (!face) throw new Error('No interface');
  const http = { method: 'GET', path: `/helpdesk/api/v1${path}`, request: {}, state: {} };
  await routerOf(face, [note]).routes()(http as never, async () => undefined);
  return found;
}

const pathOf = (routes: readonly Route[], prefix: string, path: string): PathRoutes | undefined =>
  compileRoutes([definePlugin({ id: 'one', title: 'One', routes })]).find(prefix + path);

// Path segments as in the documentation, and parameter names.
const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
const name = fc.stringMatching(/^[a-z][a-z_]{0,8}$/);
const segment = fc.oneof(
  word.map((literal) => ({ literal })),
  fc.record({ name, text: fc.boolean() }),
);
type Segment = typeof segment extends fc.Arbitrary<infer S> ? S : never;
const written = (each: Segment) => ('literal' in each ? each.literal : `{${each.name}${each.text ? ':text' : ''}}`);
const path = fc.array(segment, { minLength: 1, maxLength: 5 });
const value = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((each) => each.isWellFormed());

test('a path template is parsed into its parts', async (t) => {
  await assertProperty(
    t,
    fc.property(path, (segments) => {
      const { segments: parsed, params, select } = parseTemplate(`/${segments.map(written).join('/')}`);
      t.deepEqual(
        parsed,
        segments.map((each) => ('literal' in each ? each.literal : null)),
      );
      const wanted = segments.flatMap((each) => ('literal' in each ? [] : [each]));
      t.deepEqual(
        params,
        wanted.map((each) => ({ name: each.name, key: each.name, from: 'path', text: each.text })),
      );
      t.deepEqual(select, {});
    }),
  );
});

test('a file-style template keeps query literals as selectors and the rest as parameters', (t) => {
  t.deepEqual(parseTemplate('/tickets.php?action=comments&id={id}&code={ref:text}'), {
    segments: ['tickets.php'],
    select: { action: 'comments' },
    params: [
      { name: 'id', key: 'id', from: 'query', text: false },
      { name: 'ref', key: 'code', from: 'query', text: true },
    ],
  });
  t.is(plainPath('/managers/{code:text}/members/{id}'), '/managers/{code}/members/{id}');
});

test('every declared path is matched with decoded values, with or without a trailing slash (R-20, R-21)', async (t) => {
  await assertProperty(
    t,
    fc.asyncProperty(
      path,
      fc.array(value, { minLength: 5, maxLength: 5 }),
      fc.boolean(),
      async (segments, values, slash) => {
        const route = h(`/${segments.map(written).join('/')}`);
        const asked = segments.map((each, i) =>
          'literal' in each ? each.literal : encodeURIComponent(values[i] ?? ''),
        );
        const match = await served([route], `/${asked.join('/')}${slash ? '/' : ''}`);
        t.deepEqual(match?.routes, [route]);
        t.deepEqual(
          match?.values,
          values.slice(0, segments.length).filter((_, i) => !('literal' in (segments[i] ?? {}))),
        );
      },
    ),
  );
});

test('any path matches or not, without an error', async (t) => {
  const find = (asked: string) => served([h('/tickets/{id}/comments'), h('/tickets'), h('/{any:text}/x')], asked);
  await assertProperty(
    t,
    fc.asyncProperty(fc.string({ unit: 'binary' }), async (raw) => {
      await t.notThrowsAsync(find(`/${raw}`));
    }),
  );
  t.is(await find('/tickets/%E0%A4%A'), undefined);
  t.is(await find('/tickets//'), undefined);
  t.is(await find('/'), undefined);
});

test('paths are case-sensitive, and an encoded slash stays within its segment', async (t) => {
  const find = (asked: string) => served([h('/tickets/{id}'), h('/{a:text}')], asked);
  t.is(await find('/Tickets/7'), undefined);
  t.deepEqual((await find('/tickets/a%2Fb'))?.values, ['a/b']);
  t.deepEqual((await find('/Tickets'))?.values, ['Tickets']);
});

test('literals take precedence over parameters regardless of declaration order (R-19)', (t) => {
  const routes = [h('/tickets/{id}'), h('/tickets/team'), h('/tickets/{id}/comments'), h('/tickets/team/{x}/y')];
  for (const order of [routes, routes.toReversed()]) {
    const find = (asked: string) => pathOf(order, '/helpdesk/api/v1', asked)?.routes[0]?.path;
    t.is(find('/tickets/team'), '/tickets/team');
    t.is(find('/tickets/7'), '/tickets/{id}');
    // The literal path has no route here, so the router tries the parameter.
    t.is(find('/tickets/team/comments'), '/tickets/{id}/comments');
  }
});

const php = [
  admin.get('/sites.php', spec),
  admin.post('/sites.php', spec),
  admin.get('/sites.php?id={id}', spec),
  admin.put('/sites.php?id={id}', spec),
  admin.get('/sites.php?action=notes&id={id}', spec),
  admin.post('/sites.php?action=notes&id={id}', spec),
  admin.put('/sites.php?action=ports&id={id}&port_id={port_id}', spec),
  admin.get('/sites.php?action=summary', spec),
];

/** Returns the chosen path, or the error message. */
function chosen(method: string, query: Record<string, string>, routes = php): string {
  const group = pathOf(routes, '/admin/api/v1', '/sites.php');
  if (!group) return 'not found';
  try {
    return choose(group, method, new Map(Object.entries(query))).path;
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
}

test('id and action select among the routes of a file-style path (R-09 to R-16, N-35)', (t) => {
  t.is(chosen('get', {}), '/sites.php');
  t.is(chosen('get', { id: '7' }), '/sites.php?id={id}');
  t.is(chosen('get', { page: '2' }), '/sites.php');
  t.is(chosen('get', { id: '7', action: 'notes' }), '/sites.php?action=notes&id={id}');
  t.is(chosen('get', { id: '7', action: 'summary' }), '/sites.php?action=summary');
  t.is(chosen('get', { action: 'dance' }), 'Unknown action');
  t.is(chosen('get', { action: 'NOTES', id: '7' }), 'Unknown action');
  t.is(chosen('get', { action: 'notes' }), 'id is required');
  t.is(chosen('put', {}), 'id is required');
  t.is(chosen('put', { action: 'ports' }), 'id is required');
  t.is(chosen('put', { action: 'ports', id: '7' }), 'port_id is required');
  t.is(chosen('post', {}), '/sites.php');
  t.is(chosen('post', { id: '7' }), 'Unexpected id');
  t.is(chosen('post', { id: '7', action: 'notes' }), '/sites.php?action=notes&id={id}');
  const coded = [admin.get('/sites.php', spec), admin.get('/sites.php?id={code:text}&company={company}', spec)];
  t.is(chosen('get', { id: 'a' }, coded), 'company is required', 'a record is meant, not the list');
  t.is(chosen('get', { company: '7' }, coded), '/sites.php');
  t.is(chosen('get', { id: 'a', company: '7' }, coded), '/sites.php?id={code:text}&company={company}');
});

test('action as a plain parameter selects nothing (N-14)', (t) => {
  const routes = [admin.get('/sites.php', { ...spec, freeAction: true })];
  t.is(chosen('get', { action: 'delete' }, routes), '/sites.php');
});

test('elsewhere action and id are ordinary parameters', (t) => {
  const group = pathOf([helpdesk.post('/sites', spec)], '/helpdesk/api/v1', '/sites');
  t.is(
    group &&
      choose(
        group,
        'post',
        new Map([
          ['action', 'x'],
          ['id', '7'],
        ]),
      ).path,
    '/sites',
  );
});

test('a path’s methods depend on its action, if any (R-04, R-10)', (t) => {
  const group = pathOf(php, '/admin/api/v1', '/sites.php');
  const methods = (query: Record<string, string>) => group && allowedMethods(group, new Map(Object.entries(query)));
  t.deepEqual(methods({}), ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT']);
  t.deepEqual(methods({ action: 'notes' }), ['GET', 'HEAD', 'OPTIONS', 'POST']);
  t.deepEqual(methods({ action: 'ports' }), ['OPTIONS', 'PUT']);
  t.deepEqual(methods({ action: 'dance' }), ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT']);
});

test('over HTTP: HEAD, OPTIONS, empty and repeated parameters, invalid ids, and other versions', async (t) => {
  const { request } = await startApp(t);
  const open = '/helpdesk/api/v1/bootstrap';
  const head = await request('HEAD', open);
  t.deepEqual([head.status, head.body], [200, undefined]);
  const options = await request('OPTIONS', open);
  t.deepEqual([options.status, options.headers.get('allow')], [204, 'GET, HEAD, OPTIONS']);
  t.is((await request('GET', `${open}/`)).status, 200);
  t.is((await request('GET', '/helpdesk/api/v1/%62oot%73trap')).status, 200);
  t.is((await request('GET', '/helpdesk/api/v1/Bootstrap')).status, 404);
  t.is((await request('GET', '/helpdesk/api/v2/bootstrap')).status, 404);
  t.is((await request('GET', '/helpdesk/api/v1')).status, 404);
  // Without a credential, a caller cannot find out which actions exist.
  const tickets = '/admin/api/v1/tickets.php';
  t.is((await request('GET', `${tickets}?action=dance`)).status, 401);
});

test('over HTTP: an invalid id is a 400 in the query and a 404 in the path (R-12, R-13, R-17, R-18, R-22)', async (t) => {
  const bell = definePlugin({
    id: 'bell',
    title: 'Bell',
    routes: [
      helpdesk.get('/bell/{id}', {
        ...spec,
        returns: flat(z.object({ id: z.int() })),
        handle: (_, { params }) => params,
      }),
    ],
  });
  const { request, run } = await startApp(t, { plugins: [bell] });
  const key = { type: 'admin', name: 'Test', permissions: ['tickets:read', 'tickets:write'] } as const;
  const { api_key: token } = await run((ctx) => createApiKey(ctx, key));
  const path = '/admin/api/v1/tickets.php';
  const expected: Record<string, [number, string?]> = {
    '?id=abc': [400, 'id must be a positive integer'],
    '?id=0': [400, 'id must be a positive integer'],
    '?id=1.0': [400, 'id must be a positive integer'],
    '?id=99999999999999999999': [404, 'Resource not found'],
    '?id=7': [404, 'Ticket not found'],
    '?id=&action=': [200],
    '?id=abc&id=7': [404, 'Ticket not found'],
    '?id=7&id=': [200],
    '?action=dance': [400, 'Unknown action'],
    '?action=comments': [400, 'id is required'],
  };
  for (const [search, [status, error]] of Object.entries(expected)) {
    const answer = await request('GET', path + search, { token });
    t.deepEqual([answer.status, answer.body.error], [status, error], search);
  }
  t.is((await request('POST', `${path}?id=7`, { token, body: {} })).body.error, 'Unexpected id');
  t.is((await request('PUT', path, { token, body: { id: 7 } })).body.error, 'id is required');
  const wrong = await request('DELETE', `${path}?action=history&id=7`, { token });
  t.deepEqual([wrong.status, wrong.headers.get('allow')], [405, 'GET, HEAD, OPTIONS']);
  t.deepEqual((await request('GET', '/helpdesk/api/v1/bell/7')).body, { id: 7 });
  for (const id of ['0', '-1', '07', '7.0', 'seven', '1e3', '99999999999999999999']) {
    t.is((await request('GET', `/helpdesk/api/v1/bell/${id}`)).status, 404, id);
  }
});
