import { readFileSync } from 'node:fs';
import {
  added,
  admin,
  anyone,
  created,
  definePlugin,
  file,
  flat,
  helpdesk,
  input,
  item,
  list,
  nothing,
  param,
  signedIn,
  z,
  type App,
} from '@keelson/core';
import { openApp, startApp, type TestApp } from '@keelson/testing';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import test from 'ava';
import { describeSurface } from '../../core/http/openapi/openapi.ts';
import { surfaces } from '../../core/http/routing/routes.ts';
import { pathForm } from '../../core/plugin/route/path-template.ts';
import { memoize } from '../../packages/kit/memoize.ts';
import { answerJudge } from '../../packages/testing/answers.ts';
import { tenth } from '../_random.ts';

const documented = surfaces.filter((surface) => surface.prefix !== '');

let app: TestApp;
/** With one plugin more. */
let rung: TestApp;
test.before(async () => {
  app = await openApp();
  rung = await openApp({ plugins: [plugin()] });
});
test.after.always(async () => {
  await app.close();
  await rung.close();
});

const descriptionsOf = memoize(
  (own: App) => new Map<string, Description>(documented.map((each) => [each.id, describeSurface(own, each)])),
);
type Description = ReturnType<typeof describeSurface>;

function descriptionOf(own: App, id: string): Description {
  const description = descriptionsOf(own).get(id);
  if (description === undefined) throw new Error(`No surface ${id}`);
  return description;
}

/** Returns the description as it is served. */
const documentOf = (own: App, id: string) => JSON.parse(JSON.stringify(descriptionOf(own, id)));

for (const surface of documented) {
  test(`the document of the ${surface.id} surface is valid OpenAPI 3.1 and is served`, async (t) => {
    const answer = await app.request('GET', `${surface.prefix}/openapi.json`);
    t.is(answer.status, 200);
    t.is(answer.headers.get('content-type'), 'application/json; charset=utf-8');
    t.deepEqual(answer.body, documentOf(app.app, surface.id));
    t.is(answer.body.openapi, '3.1.0');
    const { valid, errors } = await new Validator().validate(structuredClone(answer.body));
    t.true(valid, JSON.stringify(errors));
  });

  test(`the document of the ${surface.id} surface has no errors in Redocly, and describes its tags`, async (t) => {
    const { paths = {}, ...document } = descriptionOf(app.app, surface.id);
    const some = { ...document, paths: Object.fromEntries(tenth(Object.entries(paths))) };
    const config = await createConfig({ extends: ['recommended'] });
    const found = await lintFromString({ source: JSON.stringify(some), absoluteRef: 'openapi.json', config });
    const told = found.map(({ severity, ruleId, message }) => `${severity} ${ruleId}: ${message}`);
    t.deepEqual(
      told.filter((each) => !/^warn (?:no-ambiguous-paths|no-unused-components):/.test(each)),
      [],
    );
    for (const { name, description } of document.tags ?? []) t.truthy(description, name);
    for (const scheme of Object.values(document.components?.securitySchemes ?? {})) {
      if ('name' in scheme) t.regex(scheme.name ?? '', /^[\w-]+$/);
    }
  });

  test(`every route of the ${surface.id} surface is documented with a title, responses and parameters`, (t) => {
    const { paths }: { paths: Record<string, Record<string, Operation>> } = documentOf(app.app, surface.id);
    const routes = app.app.plugins.flatMap((plugin) => plugin.routes ?? []).filter((each) => each.surface === surface);
    const described = Object.entries(paths).flatMap(([path, methodsOf]) =>
      Object.keys(methodsOf).map((method) => `${method} ${path}`),
    );
    const declared = routes.map((each) => `${each.method} ${pathForm(each.template, each.path)}`);
    t.deepEqual(described.toSorted(inOrder), declared.toSorted(inOrder));
    const ids = Object.values(paths).flatMap((each) => Object.values(each).map(({ operationId }) => operationId));
    t.is(new Set(ids).size, routes.length);
    for (const id of ids) t.regex(id, /^[a-z][A-Za-z0-9]+$/);
    for (const route of routes) {
      const about = `${route.method} ${route.path}`;
      const operation = paths[pathForm(route.template, route.path)]?.[route.method];
      if (!operation) return t.fail(about);
      t.is(operation.summary, route.title, about);
      const parameters = operation.parameters ?? [];
      const described = parameters.filter((each) => each.in === 'path' || each.in === 'query');
      for (const { key } of route.template.params) {
        t.true(described.find((each) => each.name === key)?.required, about);
      }
      t.false(
        described.some(({ name }) => name in route.template.select),
        about,
      );
      const keyed = parameters.some((each) => each.in === 'header' && each.name === 'Idempotency-Key');
      t.is(keyed, route.method === 'post' && !route.cookie && !route.access.open, about);
      const good = Object.entries(operation.responses).filter(([status]) => Number(status) < 400);
      t.true(good.length > 0, about);
      for (const [status, { content }] of good) {
        if (status === '204') t.is(content, undefined, about);
        else for (const media of Object.values(content ?? {})) t.truthy(Object.keys(media.schema).length, about);
      }
      for (const status of ['400', '401', '403', '404', '405', '413', '429', '500', '503']) {
        t.truthy(operation.responses[status]?.content?.['application/json'], `${about} ${status}`);
      }
    }
  });
}

test('every declared catalogue operation has its documented path', (t) => {
  const catalogue: Catalogued[] = JSON.parse(readFileSync('test/operations.json', 'utf8'));
  const declared = new Set(app.app.plugins.flatMap((plugin) => plugin.routes ?? []).map((each) => each.name));
  const wanted = catalogue.filter((each) => declared.has(`${each.surface} ${each.method} ${each.route}`));
  t.true(wanted.length > 40);
  for (const surface of documented) {
    const { paths = {} } = descriptionOf(app.app, surface.id);
    const forms = new Set(
      Object.values(paths).flatMap((item) =>
        Object.entries(item as object).map(([method, each]) => `${method.toUpperCase()} ${each['x-query-form']}`),
      ),
    );
    for (const { route, method, id } of wanted.filter((each) => each.surface === surface.id)) {
      t.true(method.toLowerCase() in (paths[route] ?? {}) || forms.has(`${method} ${route}`), id);
    }
  }
});

const Shape = z.object({ n: z.int(), at: z.iso.datetime().nullable(), kind: z.enum(['a', 'b']) });
/** A date, or a timestamp with or without an offset. */
const dayOrMoment = {
  anyOf: [
    { type: 'string', format: 'date' },
    { type: 'string', format: 'date-time' },
  ],
};
const value = { n: 1, at: '2026-03-02T09:00:00.000Z', kind: 'a' as const };
const open = { title: 'x', access: anyone, unlogged: true } as const;

function plugin() {
  const query = helpdesk.paging({
    count: param.int(1, 5),
    by_id: param.id(),
    flag: param.flag(),
    kind: param.choice(['a', 'b'], { all: true }),
    day: param.day(),
    since: param.dayOrTime('from'),
    word: param.required(param.text(40)),
    sort: param.sort(['n', 'at'], 'at'),
    order: param.order(),
  });
  const body = z.object({ name: input.text(20), email: input.optionalEmail(), day: input.clearable(input.day()) });
  return definePlugin({
    id: 'bell',
    title: 'Bell',
    routes: [
      helpdesk.get('/bell', {
        ...open,
        query,
        returns: list(Shape, 'bells'),
        handle: () => ({ rows: [value], total: 1 }),
      }),
      helpdesk.get('/bell/{id}', { ...open, returns: item(Shape), handle: () => value }),
      helpdesk.post('/bell', { ...open, body, returns: created(Shape), handle: () => value }),
      helpdesk.put('/bell/{id}', {
        ...open,
        body: input.changes({ n: input.int(1, 9) }),
        returns: item(z.union([Shape, z.object({ gone: z.literal(true) })])),
        handle: () => value,
      }),
      helpdesk.delete('/bell/{id}', { ...open, returns: nothing(), handle: () => {} }),
      admin.post('/bell.php', { ...open, returns: added(Shape), handle: () => ({ row: value, added: false }) }),
      admin.get('/bell.php', { ...open, returns: flat(Shape), handle: () => value }),
      admin.get('/bell/file.php', {
        ...open,
        returns: file('text/csv'),
        handle: () => ({ name: 'a.csv', type: 'text/csv', body: 'n' }),
      }),
      admin.get('/bell/odd.php', {
        ...open,
        returns: file('text/csv'),
        handle: () => ({ name: 'a', type: 'image/png', body: 'n' }),
      }),
      admin.get('/bell/pages.php', {
        ...open,
        query: admin.paging({}),
        returns: list(Shape),
        handle: () => ({ rows: [value], total: 1 }),
      }),
      admin.get('/bell/whole.php', {
        ...open,
        query: admin.paging({}, { whole: true }),
        returns: list(Shape),
        handle: () => ({ rows: [value], total: 1 }),
      }),
      admin.put('/bell.php?action=ring&id={bell_id}', {
        ...open,
        title: 'Ring a bell',
        query: z.object({ loud: param.flag() }),
        returns: item(Shape),
        handle: () => value,
      }),
      helpdesk.post('/bell/ring', {
        title: 'Ring',
        access: signedIn,
        unlogged: true,
        body: z.object({ at: input.timestamp() }),
        returns: created(Shape),
        handle: () => value,
      }),
      admin.post('/bell/any.php', {
        ...open,
        body: z.object({ any: z.custom(() => true), at: z.date() }),
        returns: nothing(),
        handle: () => {},
      }),
    ],
  });
}

test('query parameters have their types, enums, defaults and formats', (t) => {
  const { app: own } = rung;
  const get = operationOf(own, 'helpdesk', 'get', '/bell');
  const schemas = Object.fromEntries((get.parameters ?? []).map((each) => [each.name, each.schema]));
  t.deepEqual(schemas, {
    count: { type: 'integer', minimum: 1, maximum: 5 },
    by_id: { type: 'integer', minimum: 1 },
    flag: { type: 'boolean' },
    kind: { type: 'string', enum: ['a', 'b', 'all'] },
    day: { type: 'string', format: 'date' },
    since: dayOrMoment,
    word: { type: 'string', maxLength: 40 },
    sort: { type: 'string', enum: ['n', 'at'], default: 'at' },
    order: { type: 'string', enum: ['asc', 'desc'], default: 'desc' },
    page: { type: 'integer', minimum: 1, default: 1 },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    per_page: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  });
  const required = (get.parameters ?? []).filter((each) => each.required).map((each) => each.name);
  t.deepEqual(required, ['word']);
});

test('a list returned whole has no default size, and larger values are clamped', (t) => {
  const { app: own } = rung;
  const described = (path: string) => operationOf(own, 'admin', 'get', path).parameters ?? [];
  const [whole] = described('/bell/whole.php').filter((each) => each.name === 'per_page');
  t.deepEqual(whole?.schema, { type: 'integer', minimum: 1, maximum: 100 });
  t.regex(whole?.description ?? '', /25 .*if only page is given.*1000/s);
  const [page] = described('/bell/whole.php').filter((each) => each.name === 'page');
  t.deepEqual(page?.schema, { type: 'integer', minimum: 1 });
  const [size] = described('/bell/pages.php').filter((each) => each.name === 'per_page');
  t.deepEqual(size?.schema, { type: 'integer', minimum: 1, maximum: 100, default: 25 });
  t.regex(size?.description ?? '', /higher values are treated as 100/i);
});

test('lists with their own limit document its default and maximum', (t) => {
  for (const [id, path, schema] of [
    ['crm', '/search', { type: 'integer', minimum: 1, maximum: 100, default: 20 }],
    ['crm', '/webhooks/{id}/deliveries', { type: 'integer', minimum: 1, maximum: 200, default: 50 }],
    ['admin', '/webhooks.php/{id}/deliveries', { type: 'integer', minimum: 1, maximum: 200, default: 50 }],
  ] as const) {
    const { parameters = [] } = operationOf(app.app, id, 'get', path);
    t.deepEqual(parameters.find((each) => each.name === 'limit')?.schema, schema, path);
  }
});

test('record and action of an address are documented in the path', (t) => {
  const { app: own } = rung;
  const ring = operationOf(own, 'admin', 'put', '/bell.php/{id}/ring');
  t.is(ring['x-query-form'], '/bell.php?action=ring&id={bell_id}');
  t.is(ring.operationId, 'ringBell');
  t.deepEqual(
    (ring.parameters ?? []).map(({ in: place, name, required, schema }) => ({ in: place, name, required, schema })),
    [
      { in: 'path', name: 'id', required: true, schema: { type: 'integer', minimum: 1 } },
      { in: 'query', name: 'loud', required: undefined, schema: { type: 'boolean' } },
    ],
  );
});

test('a timestamp in a body may be a date, and a POST may have an idempotency key', (t) => {
  const { app: own } = rung;
  const post = operationOf(own, 'helpdesk', 'post', '/bell/ring');
  t.like(post.requestBody?.content['application/json']?.schema, { properties: { at: dayOrMoment } });
  const [key] = (post.parameters ?? []).filter((each) => each.in === 'header');
  t.like(key, { name: 'Idempotency-Key', schema: { type: 'string', minLength: 1, maxLength: 255 } });
  t.not(key?.required, true);
});

test('responses may gain members later', (t) => {
  for (const surface of documented) {
    const document = documentOf(app.app, surface.id);
    const operations: Operation[] = Object.values<object>(document.paths).flatMap((each) => Object.values(each));
    t.true(operations.length > 20);
    for (const { responses } of operations) t.notRegex(JSON.stringify(responses), /"additionalProperties":false/);
    t.notRegex(JSON.stringify(document.components.schemas ?? {}), /"additionalProperties":false/);
  }
});

test('bodies and responses are described in their surface’s envelope', (t) => {
  const { app: own } = rung;
  const post = operationOf(own, 'helpdesk', 'post', '/bell');
  t.is(post.requestBody?.required, true);
  t.like(post.requestBody?.content['application/json']?.schema, {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', minLength: 1, maxLength: 20 } },
  });
  const moment = { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] };
  const properties = { n: { type: 'integer' }, at: moment, kind: { type: 'string', enum: ['a', 'b'] } };
  const record = { type: 'object', properties, required: ['n', 'at', 'kind'] };
  t.deepEqual(answerOf(post, '201'), {
    ...record,
    properties: { success: { type: 'boolean', const: true }, ...properties },
    required: ['success', 'n', 'at', 'kind'],
  });
  // A response shared by several operations is described once.
  const named = { $ref: '#/components/schemas/Bell' };
  t.deepEqual(componentOf(own, 'helpdesk', 'Bell'), record);
  t.deepEqual(answerOf(operationOf(own, 'helpdesk', 'get', '/bell/{id}'), '200'), named);
  t.like(answerOf(operationOf(own, 'helpdesk', 'get', '/bell'), '200'), {
    required: ['bells', 'pagination'],
    properties: { bells: { type: 'array', items: named } },
  });
  const add = operationOf(own, 'admin', 'post', '/bell.php');
  t.deepEqual(
    Object.keys(add.responses).filter((status) => status < '3'),
    ['200', '201'],
  );
  t.like(answerOf(add, '200'), { properties: { data: named } });
  t.deepEqual(Object.keys(operationOf(own, 'admin', 'get', '/bell/file.php').responses['200']?.content ?? {}), [
    'text/csv',
  ]);
  t.deepEqual(answerOf(operationOf(own, 'admin', 'post', '/bell/any.php'), '400'), {
    $ref: '#/components/schemas/Problem',
  });
});

test('tests validate every response against its declaration', async (t) => {
  const { app: own, request } = await startApp(t, { plugins: [plugin()] });
  const root = '/helpdesk/api/v1/bell';
  t.is((await request('GET', `${root}?word=x`)).status, 200);
  t.is((await request('POST', root, { body: { name: 'x' } })).body.success, true);
  t.is((await request('PUT', `${root}/7`, { body: { n: 2 } })).body.n, 1);
  t.is((await request('DELETE', `${root}/7`)).status, 204);
  t.is((await request('POST', '/admin/api/v1/bell.php')).status, 200);
  t.is((await request('GET', '/admin/api/v1/bell.php')).body.n, 1);
  t.is((await request('GET', '/admin/api/v1/bell/file.php')).text, 'n');
  await t.throwsAsync(request('GET', '/admin/api/v1/bell/odd.php'), { message: /returned image\/png/ });

  const judge = answerJudge(own);
  const got = { method: 'GET', path: `${root}/7`, status: 200, type: 'application/json' };
  t.notThrows(() => judge({ ...got, body: value }));
  t.throws(() => judge({ ...got, body: { ...value, more: 1 } }), { message: /helpdesk GET \/bell\/\{id\} .*more/s });
  t.throws(() => judge({ ...got, body: { n: 1, at: null } }), { message: /kind/ });
  t.throws(() => judge({ ...got, body: { ...value, n: '1' } }), { message: /n/ });
  t.throws(() => judge({ ...got, body: value, status: 201 }), { message: /with status 201/ });
  t.throws(() => judge({ ...got, body: { error: 'x', stack: 'y' }, status: 400 }), {
    message: /not a problem of the surface/,
  });
  t.throws(() => judge({ ...got, body: { error: 'x' }, status: 409 }), { message: /not a problem of the surface/ });
  t.notThrows(() => judge({ ...got, body: { error: 'x' }, status: 404, path: '/helpdesk/api/v1/nothing' }));
});

test('events are described as the requests their receivers get', (t) => {
  for (const [id, name, operationId] of [
    ['admin', 'ticket.created', 'onTicketCreated'],
    ['crm', 'lead.created', 'onLeadCreated'],
  ] as const) {
    const document = descriptionOf(app.app, id);
    const events = app.app.plugins.flatMap((each) => each.events ?? []).filter((each) => each.webhook === id);
    t.deepEqual(
      Object.keys(document.webhooks ?? {}),
      events.map((each) => each.name),
    );
    const { post } = JSON.parse(JSON.stringify(document.webhooks?.[name]));
    t.is(post.operationId, operationId);
    t.like(post.requestBody.content['application/json'].schema, {
      required: ['event', 'timestamp', 'data', 'signature'],
      properties: { event: { const: name } },
    });
  }
});

test('a document is sent again only when it has changed', async (t) => {
  const path = '/admin/api/v1/openapi.json';
  const first = await app.request('GET', path);
  const etag = first.headers.get('etag') ?? '';
  t.regex(etag, /^"[\w-]+"$/);
  for (const known of [etag, `"other", W/${etag}`]) {
    const again = await app.request('GET', path, { headers: { 'If-None-Match': known } });
    t.like(again, { status: 304, text: '' });
    t.is(again.headers.get('etag'), etag);
    t.is(again.headers.get('cache-control'), first.headers.get('cache-control'));
  }
  t.is((await rung.request('GET', path, { headers: { 'If-None-Match': etag } })).status, 200);
});

test('the reference works offline: all its files are ours', async (t) => {
  const page = await app.request('GET', '/docs');
  t.is(page.status, 200);
  const policy = page.headers.get('content-security-policy') ?? '';
  t.regex(policy, /default-src 'self'/);
  t.regex(policy, /frame-ancestors 'none'/);
  const named = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((each) => each[1] ?? '');
  t.true(named.length >= 4);
  for (const path of named) {
    t.regex(path, /^\/docs\//, path);
    const answer = await fetch(app.url + path);
    t.is(answer.status, 200, path);
    t.true((await answer.arrayBuffer()).byteLength > 0, path);
  }
  const start = await app.request('GET', '/docs/start.js');
  const urls = [...start.text.matchAll(/"url":"([^"]+)"/g)].map((each) => each[1] ?? '');
  t.deepEqual(
    urls,
    documented.map((surface) => `${surface.prefix}/openapi.json`),
  );
  t.notRegex(page.text + start.text, /https?:\/\//);
});

const inOrder = (a: string, b: string): number => (a < b ? -1 : 1);

function operationOf(own: App, id: string, method: string, path: string): Operation {
  return documentOf(own, id).paths[path][method];
}

function componentOf(own: App, id: string, name: string) {
  return documentOf(own, id).components.schemas[name];
}

function answerOf({ responses }: Operation, status: string) {
  return responses[status]?.content?.['application/json']?.schema;
}

interface Catalogued {
  readonly id: string;
  readonly surface: string;
  readonly method: string;
  readonly route: string;
}

interface Operation {
  readonly operationId: string;
  readonly 'x-query-form'?: string;
  readonly summary: string;
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly description?: string;
    readonly required?: boolean;
    readonly schema: object;
  }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Record<string, { readonly schema: object }> };
  readonly responses: Record<string, { readonly content?: Record<string, { readonly schema: object }> }>;
}
