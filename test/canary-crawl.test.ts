// Sends every request as every caller without access: no response contains a word of another company, an internal text
// or a secret.
import { anyCredential } from '@keelson/core';
import { lockAsset } from '@keelson/modules/assets';
import { startApp, type TestAnswer, type TestApp, type TestRequest } from '@keelson/testing';
import test from 'ava';
import type { Route } from '../core/plugin/route/route.ts';
import { indexNext, isComplete, restartIndex } from '../core/search/indexing/reindex.ts';
import { addCredential } from '../modules/assets/credentials/credentials.ts';
import { name, sql } from '../packages/database/statement/sql.ts';
import { createLogger } from '../packages/log/log.ts';
import { makerOf, makers, type Id } from './_access-ids.ts';
import { makeWorld, type Person, type World } from './_access-world.ts';
import { boundless } from './_boundless.ts';
import { plant, type Planted } from './_canaries.ts';
import { exhaustiveMs, full, tenth } from './_random.ts';
import { seedCompany, seedEmployee } from './accounts-seed.ts';
import { operationOf, type Operation, type Schema } from './core/_worst-requests.ts';

/** Callers per surface who may not read other companies' records. */
const askers: Readonly<Record<string, readonly string[]>> = {
  helpdesk: ['nobody', 'reader', 'employee', 'manager', 'IT admin', 'CRM key'],
  admin: ['nobody', 'employee', "employee's cookie", 'CRM key', 'collector', 'key without'],
  crm: ['nobody', 'live key', 'test key', 'employee'],
  pages: ['nobody', 'employee'],
};

test('no caller sees other companies’ data on any route', async (t) => {
  t.timeout(exhaustiveMs);
  const lines: string[] = [];
  const log = createLogger({ level: 'debug', destination: { write: (line) => void lines.push(line) } });
  const app = await startApp(t, { limiter: boundless, log });
  const world = await makeWorld(app);
  const routes = app.app.plugins.flatMap((plugin) => plugin.routes ?? []);
  const strangers = [await stranger(app), await stranger(app)];
  const own = world.callers('helpdesk')['employee']?.own;
  if (!own) throw new Error('Nobody asks');
  const foreign = new Map<Route, Id[][]>();
  for (const route of routes) {
    const ids: Id[][] = [];
    for (const person of [...strangers, own]) ids.push(await idsFor(world, route, person));
    // Assertions on the way show that the test goes on: AVA ends one that asserts nothing for long.
    t.is(ids.length, 3, route.name);
    foreign.set(route, ids);
  }
  const planted = await plant(app, {
    companies: strangers.map((each) => each.company_number),
    tables: new Set(tablesOf(app, providers)),
    rows: (table, row) =>
      row['is_internal'] === true || (table.name === 'kb_article' && row['visibility'] === 'internal'),
  });
  await reindex(app);
  await world.renew();
  t.true(planted.places.size >= 300, `${planted.places.size} words`);

  const hits = new Map<string, string>();
  let asked = 0;
  const order = ['get', 'post', 'put', 'delete'];
  for (const route of tenth(routes).toSorted((a, b) => order.indexOf(a.method) - order.indexOf(b.method))) {
    const callers = world.callers(route.surface.id);
    for (const name of askers[route.surface.id] ?? []) {
      // Any key may read the dropdown lists.
      if (name === 'key without' && route.access === anyCredential) continue;
      const caller = callers[name];
      if (!caller) throw new Error(`${route.surface.id} has no ${name}`);
      const credential = await caller.credential(route);
      const refused = /^(?:nobody|CRM key|key without|employee|employee's cookie|live key|test key)$/.test(name);
      const few = route.surface.id !== 'helpdesk' || name === 'nobody' || name === 'CRM key';
      for (const each of requestsTo(app, route, foreign.get(route) ?? [], planted, refused && few)) {
        const answer = await send(app, route, each, credential);
        asked++;
        t.not(answer.status, 500, each.path);
        for (const word of wordsIn(answer)) {
          const place = planted.places.get(word);
          if (place) hits.set(`${route.name}, ${name}: ${place}`, each.path.slice(0, 200));
        }
        if (name === 'IT admin' && /auth|session|logout|password/.test(route.path) && route.method !== 'get')
          await world.renew();
      }
    }
  }
  const seen = await wordsForTheProvider(app, world, routes, foreign, planted);
  t.log(`${planted.places.size} words, ${asked} calls; the provider's people read ${seen}`);
  t.true(seen >= 100, 'the words can be read at all');
  t.deepEqual([...hits], []);
  t.true(asked >= (full ? 5000 : 200), `${asked} calls`);
  t.deepEqual(
    [...new Set(lines.flatMap((line) => line.match(WORD) ?? []))].filter((each) => planted.places.has(each)),
    [],
  );
});

/** Modules whose records belong to the provider: no customer sees them. */
const providers = new Set(['crm', 'workflows', 'webhooks']);

function tablesOf({ app }: TestApp, ids: ReadonlySet<string>): string[] {
  return app.plugins.flatMap(({ id, entities = [] }) =>
    ids.has(id) ? entities.map((each) => (each as { name?: string }).name ?? '') : [],
  );
}

const WORD = /canary[0-9a-z]{4}x[0-9a-z]{8}/g;

function wordsIn({ text, headers }: TestAnswer): string[] {
  return `${[...headers].join()} ${text}`.match(WORD) ?? [];
}

/** Returns how many of the words authorised readers see. */
async function wordsForTheProvider(
  app: TestApp,
  world: World,
  routes: readonly Route[],
  ids: ReadonlyMap<Route, Id[][]>,
  planted: Planted,
): Promise<number> {
  const seen = new Set<string>();
  for (const route of routes.filter(({ method, surface }) => method === 'get' && surface.id === 'admin')) {
    const credential = await world.callers('admin')['key with']?.credential(route);
    for (const each of requestsTo(app, route, ids.get(route) ?? [], planted, true))
      for (const word of wordsIn(await send(app, route, each, credential ?? {}))) seen.add(word);
  }
  return [...seen].filter((each) => planted.places.has(each)).length;
}

async function stranger(app: TestApp): Promise<Person> {
  const { company_number } = await seedCompany(app);
  const all = { ismgr: true, it_privileges: true, asset_edit: 'Modify', can_view_billing: true } as const;
  return { ...(await seedEmployee(app, { ...all, company_number })), user_id: 1 };
}

/** Returns ids of the person's records for the path, each a child of the one before. */
async function idsFor(world: World, route: Route, person: Person): Promise<Id[]> {
  const ids: Id[] = [];
  for (const param of route.template.params)
    ids.push(await makerOf(makers, route, param)({ ...world, person, side: 'own', parents: [...ids] }));
  return ids;
}

async function reindex({ app }: TestApp): Promise<void> {
  await restartIndex(app);
  while (!(await isComplete(app))) await indexNext(app);
}

interface Request {
  readonly path: string;
  readonly body?: unknown;
}

/** Returns requests to a route, with foreign ids in its path, parameters and body. */
function requestsTo(
  app: TestApp,
  route: Route,
  ids: readonly (readonly Id[])[],
  planted: Planted,
  few: boolean,
): Request[] {
  const paths = [...ids, route.template.params.map(({ text }) => (text ? 'never-was' : 987_654_321))].map((some) => {
    const left = [...some];
    return route.surface.prefix + route.path.replace(/\{[^}]+\}/g, () => encodeURIComponent(left.shift() ?? ''));
  });
  const unique = [...new Set(few ? paths.slice(0, 1) : paths)];
  const described = operationOf(app, route);
  if (route.method !== 'get') {
    const body = route.method === 'delete' ? undefined : bodyOf(described, planted);
    return unique.map((path) => ({ path, body }));
  }
  const joint = route.path.includes('?') ? '&' : '?';
  const words = [...planted.places.keys()];
  const queries = (described?.parameters ?? [])
    .filter((each) => each.in === 'query' && !(each.name in route.template.select))
    .flatMap(({ name, schema }) =>
      valuesOf(name, schema ?? {}, words, planted).map((value) => `${name}=${encodeURIComponent(value)}`),
    );
  const more = few ? queries.slice(0, 2) : queries;
  return unique.flatMap((path) => [{ path }, ...more.map((query) => ({ path: `${path}${joint}${query}` }))]);
}

/** Returns values for a parameter: foreign ids, and prefixes of the planted words. */
function valuesOf(name: string, schema: Schema, words: readonly string[], planted: Planted): string[] {
  const ids = foreignIds(name, planted);
  if (ids.length > 0) return ids.map(String);
  if (schema.enum) return [String(schema.enum.at(-1))];
  if (name === 'per_page' || name === 'limit') return ['100'];
  if (schema.type === 'integer') return ['1'];
  if (schema.type === 'boolean') return ['true'];
  const word = words[Math.floor(words.length / 2)] ?? '';
  return ['canary', word.slice(0, 9)];
}

function foreignIds(name: string, { ids }: Planted): readonly number[] {
  const known = ids.get(name) ?? (name === 'assigned_to' ? ids.get('user_id') : undefined) ?? [];
  return [known[0], known.at(-1)].flatMap((each) => each ?? []);
}

/** Builds a body that refers to foreign records wherever it can. */
function bodyOf(operation: Operation | undefined, planted: Planted): unknown {
  const schema = operation?.requestBody?.content?.['application/json']?.schema;
  return schema ? valueOf('', schema, planted) : {};
}

function valueOf(name: string, schema: Schema, planted: Planted): unknown {
  if (schema.enum) return schema.enum[0];
  const [first] = schema.anyOf ?? [];
  if (first) return valueOf(name, first, planted);
  switch (schema.type ?? 'string') {
    case 'integer':
    case 'number':
      return foreignIds(name, planted)[0] ?? 1;
    case 'boolean':
      return false;
    case 'array':
      return [valueOf(name.replace(/s$/, ''), schema.items ?? {}, planted)];
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([each, inner]) => [each, valueOf(each, inner, planted)]),
      );
    default:
      return 'word';
  }
}

async function send(
  app: TestApp,
  { method }: Route,
  { path, body }: Request,
  credential: TestRequest,
): Promise<TestAnswer> {
  return app.request(method.toUpperCase(), path, { ...credential, ...(body !== undefined && { body }) });
}

test('secrets leave only through reveal routes, and none is stored in plain text', async (t) => {
  t.timeout(exhaustiveMs);
  const lines: string[] = [];
  const log = createLogger({ level: 'debug', destination: { write: (line) => void lines.push(line) } });
  const app = await startApp(t, { limiter: boundless, log });
  const world = await makeWorld(app);
  const routes = app.app.plugins.flatMap((plugin) => plugin.routes ?? []);
  const { own } = world.callers('admin')['administrator'] ?? {};
  if (!own) throw new Error('Nobody asks');
  const paths = new Map<Route, Id[]>();
  for (const route of routes) {
    const ids = await idsFor(world, route, own);
    t.is(ids.length, route.template.params.length, route.name);
    paths.set(route, ids);
  }
  await world.renew();
  const secrets = await plantSecrets(app, world, routes);
  t.true(secrets.length > 20, `${secrets.length} secrets`);

  const told = (text: string) => secrets.filter((each) => text.includes(each));
  const hits: string[] = [];
  let asked = 0;
  const ask = async (route: Route, name: string, request: Request) => {
    const credential = await world.callers(route.surface.id)[name]?.credential(route);
    const answer = await send(app, route, request, credential ?? {});
    asked++;
    t.true(answer.status < 500, `${route.name}: ${answer.text.slice(0, 300)}`);
    if (told(`${[...answer.headers].join()} ${answer.text}`).length > 0)
      hits.push(`${route.name}, ${name}: ${answer.text.slice(0, 300)}`);
    return answer;
  };
  const none: Planted = { places: new Map(secrets.map((each) => [each, ''])), ids: new Map() };
  for (const route of tenth(routes.filter((each) => each.method === 'get')))
    for (const name of {
      helpdesk: ['employee', 'IT admin'],
      admin: ['administrator', 'key with'],
      crm: ['key with'],
      pages: ['technician'],
    }[route.surface.id])
      for (const each of requestsTo(app, route, [paths.get(route) ?? []], none, false)) await ask(route, name, each);
  for (const each of await reportEverything(app, world)) if (told(each).length > 0) hits.push(each.slice(0, 300));
  t.log(`${secrets.length} secrets, ${asked} calls`);
  t.deepEqual(hits, []);
  t.deepEqual(told(lines.join('\n')), []);
  for (const table of app.app.database.tables) t.deepEqual(told(await dump(app, table.name)), [], table.name);
});

/** Plants a secret in every record that holds one; returns all secrets. */
async function plantSecrets(app: TestApp, world: World, routes: readonly Route[]): Promise<string[]> {
  const secrets: string[] = [];
  const next = (what: string) => {
    const secret = `SeCrEt-${what}-${secrets.length}-7h4t-n0b0dy-r34d5`;
    secrets.push(secret);
    return secret;
  };
  const write = async (method: string, path: string, body: (secret: string) => object) => {
    const route = routes.find(
      ({ surface, path: of }) =>
        surface.id === 'admin' && of.startsWith(path.slice(0, path.indexOf('?') + 1 || path.length)),
    );
    const credential = route && (await world.callers('admin')['administrator']?.credential(route));
    const answer = await app.request(method, `/admin/api/v1${path}`, {
      ...credential,
      body: body(next(path.replace(/\W+/g, ''))),
    });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer;
  };
  const { database } = app.app;
  const idsIn = async (table: string, key: string) =>
    (await database.query<Record<string, number>>(sql`SELECT ${name(key)} AS id FROM ${name(table)}`)).map((each) =>
      Number(each['id']),
    );
  for (const id of await idsIn('asset', 'asset_id')) {
    const given = { label: 'Root', username: 'root', password: next('login') };
    await app.run(async (ctx) => addCredential(ctx, await lockAsset(ctx, id), given));
  }
  for (const id of await idsIn('license', 'license_id'))
    await write('PUT', `/licenses.php?id=${id}`, (product_key) => ({ product_key }));
  for (const i of [1, 2, 3])
    await write('POST', '/workflows.php', (secret) => ({
      name: `Calls ${i}`,
      trigger: { type: 'manual' },
      actions: [{ type: 'call_webhook', url: 'http://127.0.0.1:1/', secret }],
    }));
  const webhook = await write('POST', '/webhooks.php', () => ({
    url: 'http://127.0.0.1:1/',
    events: ['ticket.created'],
  }));
  secrets.push(webhook.body.data.secret);
  return secrets;
}

/** Reports every source with all its fields, as a table and as a file. */
async function reportEverything(app: TestApp, world: World): Promise<string[]> {
  const route = app.app.plugins.flatMap(({ routes = [] }) => routes).find(({ path }) => path === '/reports.php');
  const credential = route && (await world.callers('admin')['administrator']?.credential(route));
  const ask = (method: string, path: string, body?: unknown) =>
    app.request(method, `/admin/api/v1${path}`, { ...credential, ...(body !== undefined && { body }) });
  const texts: string[] = [];
  for (const source of app.app.plugins
    .flatMap(({ reports = [] }) => reports)
    .flatMap((each) => (each.surface === 'admin' ? each.name : []))) {
    const { body } = await ask('GET', `/reports/fields.php?source=${source}`);
    const fields = (body.data.fields as { name: string }[]).map((each) => each.name);
    const made = await ask('POST', '/reports.php', { name: `All of ${source}`, source, fields });
    const id = made.body.data.report_id;
    texts.push((await ask('POST', `/reports.php?action=run&id=${id}`, {})).text);
    texts.push((await ask('GET', `/reports.php?action=export&id=${id}&format=csv`)).text);
  }
  return texts;
}

async function dump({ app }: TestApp, table: string): Promise<string> {
  const rows = await app.database.query(sql`SELECT * FROM ${name(table)}`);
  return rows
    .flatMap((row) => Object.values(row))
    .map((each) => (Buffer.isBuffer(each) ? each.toString('latin1') : String(each)))
    .join('\n');
}
