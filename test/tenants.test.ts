// Two service providers in one process, with the same ids and people: no data crosses tenants.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { passwordAccount } from '@keelson/modules/directory';
import { Ticket } from '@keelson/modules/tickets';
import type { TestAnswer, TestApp } from '@keelson/testing';
import { createClient } from '@redis/client';
import test, { type ExecutionContext } from 'ava';
import { Delivery, StoredEvent } from '../packages/events/delivery/delivery.ts';
import { JobRun } from '../packages/events/job/job-run.ts';
import { newId } from '../packages/kit/random.ts';
import { ActivityLine } from '../packages/log/activity.ts';
import { makeFolder } from './_folder.ts';
import { makeDatabase, makeTenants, server, type TenantsRunning } from './_tenants.ts';
import { until } from './_until.ts';
import { password, seedCompany, seedEmployee, seedKey, seedTechnician, signIn, signInOnPage } from './accounts-seed.ts';
import { startTcpProxy } from './faults/_tcp-proxy.ts';

const portal = '/helpdesk/api/v1';
const staff = '/admin/api/v1';
const metricsToken = 'metrics-token-of-this-test';
const two = { acme: { OPERATOR_TENANT: true, TENANT_NAME: 'Acme IT' }, beta: { TENANT_NAME: 'Beta IT' } };

interface People {
  readonly token: string;
  readonly refresh_token: string;
  readonly cookie: string;
  readonly technician: string;
  readonly admin: string;
  readonly crm: string;
}

/** Seeds the same people with the same ids in every tenant. */
async function seedPeople(app: TestApp): Promise<People> {
  const { company_number } = await seedCompany(app, 'Northwind');
  const employee = { email: 'erin@example.com', company_number, ismgr: true, it_privileges: true };
  await seedEmployee(app, employee);
  const admin = await seedTechnician(app, 'administrator', 'ada@example.com');
  const signedIn = await signIn(app, employee);
  return {
    ...signedIn,
    technician: await signInOnPage(app, admin),
    admin: (await seedKey(app, 'admin', ['tickets:read', 'tickets:write', 'companies:read'])).api_key,
    crm: (await seedKey(app, 'crm_secret', [])).api_key,
  };
}

async function startTwo(t: ExecutionContext, env: Record<string, string> = {}) {
  const started = await (await makeTenants(t, two, env)).start();
  const [acme, beta] = [started.tenant('acme'), started.tenant('beta')];
  return { ...started, acme, beta, ofAcme: await seedPeople(acme), ofBeta: await seedPeople(beta) };
}

test.serial('credentials, changes, events, files and settings stay within their tenant', async (t) => {
  const { acme, beta, ofAcme, ofBeta, ask } = await startTwo(t);
  await credentials(t, { ofAcme, ofBeta, ask });
  await interleaved(t, { acme, beta, ofAcme, ofBeta });
  await settings(t, { acme, beta, ofAcme, ofBeta });
  await limits(t, { acme, beta, ofBeta, ask });
});

type Two = Awaited<ReturnType<typeof startTwo>>;

async function credentials(t: ExecutionContext, { ofAcme, ofBeta, ask }: Pick<Two, 'ofAcme' | 'ofBeta' | 'ask'>) {
  const bothWays = [
    { host: 'acme.test', own: ofAcme, foreign: ofBeta },
    { host: 'beta.test', own: ofBeta, foreign: ofAcme },
  ];
  for (const { host, own, foreign } of bothWays) {
    const uses = (who: People) =>
      [
        ['a token', `${portal}/tickets`, { token: who.token }],
        ['a cookie', `${portal}/tickets`, { cookie: who.cookie }],
        // The other tenant's session under this tenant's cookie name.
        ['a session', `${portal}/tickets`, { cookie: `${own.cookie.split('=')[0]}=${who.cookie.split('=')[1]}` }],
        ['a key', `${staff}/tickets.php`, { token: who.admin }],
        ['a technician', `${staff}/tickets.php`, { cookie: who.technician }],
        [
          'technician session',
          `${staff}/tickets.php`,
          { cookie: `${own.technician.split('=')[0]}=${who.technician.split('=')[1]}` },
        ],
      ] as const;
    for (const [what, path, credential] of uses(own)) {
      t.is((await ask(host, 'GET', path, credential)).status, 200, `${what} at ${host}`);
    }
    for (const [what, path, credential] of uses(foreign)) {
      t.is((await ask(host, 'GET', path, credential)).status, 401, `the other’s ${what} at ${host}`);
    }
    t.is((await ask(host, 'GET', `${staff}/crm/leads`, { key: foreign.crm })).status, 401);
    const refresh = { body: { refresh_token: foreign.refresh_token } };
    t.is((await ask(host, 'POST', `${portal}/auth/refresh`, refresh)).status, 401);
  }
}

async function interleaved(
  t: ExecutionContext,
  { acme, beta, ofAcme, ofBeta }: Pick<Two, 'acme' | 'beta' | 'ofAcme' | 'ofBeta'>,
) {
  const raise = async (app: TestApp, people: People, name: string, i: number): Promise<TestAnswer> => {
    const answer = await app.request('POST', `${portal}/tickets`, {
      token: people.token,
      // Both tenants use the same keys: a response stored for one must never reach the other.
      headers: { 'Idempotency-Key': `raise-${i}` },
      body: { subject: `${name} ${i}`, description: 'Canary', job_type: 'Hardware' },
    });
    // A busy machine may briefly refuse requests.
    return answer.status === 503 ? raise(app, people, name, i) : answer;
  };
  const raised = await Promise.all(
    Array.from({ length: 15 }, (_, i) => [raise(acme, ofAcme, 'acme', i), raise(beta, ofBeta, 'beta', i)]).flat(),
  );
  t.deepEqual([...new Set(raised.map(({ status }) => status))], [201]);
  for (const [app, name, people, other] of [
    [acme, 'acme', ofAcme, 'beta'],
    [beta, 'beta', ofBeta, 'acme'],
  ] as const) {
    await app.app.outbox.drain();
    const { database } = app.app;
    const tickets = await database.find(Ticket);
    t.is(tickets.length, 15);
    t.deepEqual([...new Set(tickets.map(({ subject }) => subject.split(' ')[0]))], [name]);
    const events = (await database.find(StoredEvent)).filter((each) => each.name === 'ticket.created');
    t.is(events.length, 15);
    // Deliveries first: jobs go on meanwhile, and an event is stored together with its deliveries.
    const deliveries = await database.find(Delivery);
    const known = new Set((await database.find(StoredEvent)).map(({ event_id }) => event_id));
    t.deepEqual(
      deliveries.filter(({ event_id }) => !known.has(event_id)),
      [],
    );
    const lines = (await database.find(ActivityLine)).filter((each) => each.entity_type === 'ticket');
    t.is(lines.length, 15);
    const repeated = (await raise(app, people, name, 3)).text;
    t.true(raised.some(({ text }) => text === repeated));
    t.true(repeated.includes(`${name} 3`));
    const csv = await app.request('GET', `${staff}/tickets.php?action=export&format=csv`, { token: people.admin });
    t.is(csv.text.split(`${name} `).length, 16);
    t.false(csv.text.includes(`${other} `));
    const { body } = await app.request('GET', `${portal}/openapi.json`);
    t.is(body.info.title, `${name === 'acme' ? 'Acme' : 'Beta'} IT Helpdesk API`);
    t.is(body.servers[0].url, `http://${name}.test${portal}`);
  }
}

async function settings(
  t: ExecutionContext,
  { acme, beta, ofAcme, ofBeta }: Pick<Two, 'acme' | 'beta' | 'ofAcme' | 'ofBeta'>,
) {
  const { Branding } = await import('../modules/system/settings.ts');
  const identity = { company_name: 'Canary of Acme', logo_url: '', favicon_url: '' };
  await acme.run((ctx) => ctx.app.settings.set(ctx, Branding, identity));
  await acme.app.scheduler.runNow('core.prune-events');
  const name = async (app: TestApp, { token }: People) =>
    (await app.request('GET', `${portal}/bootstrap`, { token })).body.branding.company_name;
  t.is(await name(acme, ofAcme), 'Canary of Acme');
  t.is(await name(beta, ofBeta), 'Beta IT');
  const runs = (app: TestApp) => app.app.database.findBy(JobRun, { name: 'core.prune-events' });
  t.is((await runs(acme)).length, 1);
  t.is((await runs(beta)).length, 0);
  const sealed = acme.app.vault.seal('canary', 'x');
  t.throws(() => beta.app.vault.open(sealed, 'x'));
  t.true(acme.app.config.operatorTenant);
  t.false(beta.app.config.operatorTenant);
}

async function limits(t: ExecutionContext, { acme, beta, ofBeta, ask }: Pick<Two, 'acme' | 'beta' | 'ofBeta' | 'ask'>) {
  const login = (app: TestApp, given: string) =>
    app.request('POST', `${portal}/auth/login`, { body: { username: 'erin@example.com', password: given } });
  t.is((await login(acme, 'not the password')).status, 401);
  // So many that the wait is long: the first waits are a second or two.
  const account = passwordAccount('employee', 'erin@example.com');
  for (let i = 0; i < 15; i++) await acme.app.guesses.failed(account, '192.0.2.1');
  t.is((await login(acme, password)).status, 429);
  t.is((await login(beta, password)).status, 200);
  const wave = await Promise.all(Array.from({ length: 70 }, () => ask('acme.test', 'GET', `${portal}/tickets`)));
  t.true(wave.some(({ status }) => status === 429));
  t.is((await ask('beta.test', 'GET', `${portal}/tickets`)).status, 401);
  t.is((await ask('beta.test', 'GET', `${portal}/tickets`, { token: ofBeta.token })).status, 200);
}

test.serial('hosts, metrics and shutdown', async (t) => {
  const place = await makeTenants(t, two, { METRICS_TOKEN: metricsToken });
  const started = await place.start();
  await unknownHosts(t, started);
  await measures(t, started);
  await stopping(t, started);
});

/** Unknown hosts get only the process-level endpoints. */
async function unknownHosts(t: ExecutionContext, { ask, port }: TenantsRunning) {
  const nothing = { error: 'Resource not found' };
  const surfaces = [
    [`${portal}/tickets`, nothing],
    [`${staff}/tickets.php`, { success: false, ...nothing }],
    [`${staff}/crm/leads`, { success: false, ...nothing, code: 'NOT_FOUND' }],
  ] as const;
  for (const host of [
    'other.test',
    'acme.test.evil.example',
    'sub.acme.test',
    '127.0.0.1',
    'a@acme.test',
    'acme.test, beta.test',
  ]) {
    for (const [path, body] of surfaces) {
      const answer = await ask(host, 'GET', path, { headers: { 'X-Forwarded-Host': 'acme.test' } });
      t.is(answer.status, 404, host);
      t.deepEqual(answer.body, body);
      t.regex(answer.headers.get('x-request-id') ?? '', /^[0-9a-f]{32}$/);
      t.is(answer.headers.get('x-content-type-options'), 'nosniff');
    }
    t.is((await ask(host, 'POST', `${portal}/auth/login`, { body: { username: 'a', password: 'b' } })).status, 404);
    t.is((await ask(host, 'GET', '/admin/login')).status, 404);
    t.deepEqual((await ask(host, 'GET', '/health')).body, { status: 'running' });
  }
  for (const host of ['acme.test', 'ACME.test:8080', 'acme.test.']) {
    t.is((await ask(host, 'GET', `${portal}/tickets`)).status, 401, host);
  }
  t.is(await rawStatus(port, 'GET / HTTP/1.1\r\nHost: acme.test\r\nHost: beta.test\r\nConnection: close\r\n\r\n'), 404);
  t.is(await rawStatus(port, 'GET http://beta.test/ HTTP/1.1\r\nHost: acme.test\r\nConnection: close\r\n\r\n'), 404);
}

function rawStatus(port: number, text: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let said = '';
    socket.on('data', (chunk: Buffer) => (said += chunk.toString()));
    socket.on('error', reject);
    socket.on('close', () => resolve(Number(said.split(' ')[1])));
  });
}

/** Metrics cover all tenants; only operators see tenant names. */
async function measures(t: ExecutionContext, { ask }: TenantsRunning) {
  const token = metricsToken;
  await ask('acme.test', 'GET', `${portal}/tickets`);
  await ask('beta.test', 'GET', `${portal}/tickets`);
  t.is((await ask('10.0.0.1', 'GET', '/metrics')).status, 404);
  const page = (await ask('10.0.0.1', 'GET', '/metrics', { token })).text;
  for (const slug of ['acme', 'beta']) {
    t.regex(
      page,
      new RegExp(
        `^keelson_requests_total\\{tenant="${slug}",.*route="helpdesk GET /tickets",status="401"\\} \\d+$`,
        'm',
      ),
    );
    t.regex(page, new RegExp(`^keelson_outbox_pending\\{tenant="${slug}"\\} 0$`, 'm'));
    t.regex(page, new RegExp(`^keelson_tenant_open\\{tenant="${slug}"\\} 1$`, 'm'));
  }
  const fine = { status: 'ready', checks: { database: 'ok', disk: 'ok' } };
  t.deepEqual((await ask('10.0.0.1', 'GET', '/ready')).body, { status: 'ready' });
  const told = await ask('10.0.0.1', 'GET', '/ready', { token });
  t.like(told.body, { status: 'ready', tenants: { acme: fine, beta: fine } });
  t.like((await ask('acme.test', 'GET', '/ready')).body, fine);
}

test.serial('a tenant that cannot be opened stops no other, and is served once it opens', async (t) => {
  const place = await makeTenants(t, { acme: {}, broken: { DATABASE_URL: '' } });
  const file = join(place.env['DATA_DIR'] ?? '', 'broken', 'keelson.db');
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, 'no database '.repeat(100));
  const { ask } = await place.start(['acme']);
  await until(async () => (await ask('broken.test', 'GET', '/ready')).body.status === 'failing');
  // A process that has just started may briefly reject requests while it opens tenants.
  await until(async () => (await ask('acme.test', 'GET', `${portal}/tickets`)).status === 401);
  const away = await ask('broken.test', 'GET', `${portal}/tickets`);
  t.is(away.status, 503);
  t.deepEqual(away.body, { error: 'Service temporarily unavailable' });
  t.regex(away.headers.get('retry-after') ?? '', /^\d+$/);
  t.is((await ask('broken.test', 'GET', '/health')).status, 200);
  const ready = await ask('broken.test', 'GET', '/ready');
  t.deepEqual([ready.status, ready.body], [503, { status: 'failing' }]);
  const all = await ask('127.0.0.1', 'GET', '/ready');
  t.is(all.status, 200);
  t.like(all.body, { status: 'ready', tenants: { acme: { status: 'ready' }, broken: { status: 'failing' } } });
  t.regex((await ask('127.0.0.1', 'GET', '/metrics')).text, /^keelson_tenant_open\{tenant="broken"\} 0$/m);
  rmSync(file);
  await until(async () => (await ask('broken.test', 'GET', '/ready')).status === 200);
  t.is((await ask('broken.test', 'GET', `${portal}/tickets`)).status, 401);
});

test.serial('a tenant with a frozen database does not slow down the others', async (t) => {
  const { given, freeze } = await freezable(t);
  const { tenant, ask } = await (await makeTenants(t, { acme: given, beta: {} })).start();
  const [acme, beta] = [tenant('acme'), tenant('beta')];
  const [ofAcme, ofBeta] = [await seedPeople(acme), await seedPeople(beta)];
  const raise = (app: TestApp, { token }: People) =>
    app.request('POST', `${portal}/tickets`, { token, body: { subject: 'x', description: 'y', job_type: 'Hardware' } });
  const thaw = freeze();
  const statuses: number[] = [];
  // Requests to the frozen tenant fail after two or three seconds; the other tenant works as usual.
  while (statuses.length < 20) {
    let frozen = true;
    const stuck = Promise.all(Array.from({ length: 30 }, () => raise(acme, ofAcme))).finally(() => (frozen = false));
    while (frozen) statuses.push((await raise(beta, ofBeta)).status, await statusOf(beta, ofBeta));
    t.deepEqual([...new Set((await stuck).map(({ status }) => status).filter((status) => status !== 429))], [503]);
  }
  t.deepEqual(
    [...new Set(statuses.filter((status) => status !== 429))].toSorted((a, b) => a - b),
    [200, 201],
  );
  const all = await ask('127.0.0.1', 'GET', '/ready');
  t.is(all.status, 200);
  t.is(all.body.tenants.beta.status, 'ready');
  if (server) t.is(all.body.tenants.acme.status, 'failing');
  thaw();
  await until(async () => (await raise(acme, ofAcme)).status === 201);
});

const statusOf = async (app: TestApp, { token }: People) =>
  (await app.request('GET', `${portal}/tickets`, { token })).status;

/** Returns a database that can be frozen: through the network, or by locking the file. */
async function freezable(t: ExecutionContext): Promise<{ given: Record<string, string>; freeze: () => () => void }> {
  if (server) {
    const proxy = await startTcpProxy(t, new URL(server));
    const url = new URL(await makeDatabase(t, server));
    url.port = String(proxy.port);
    const freeze = () => {
      proxy.freeze();
      return proxy.thaw;
    };
    return { given: { DATABASE_URL: url.href }, freeze };
  }
  const folder = makeFolder(t);
  const freeze = () => {
    const database = new DatabaseSync(join(folder, 'keelson.db'));
    database.exec('BEGIN IMMEDIATE');
    return () => database.close();
  };
  return { given: { DATA_DIR: folder }, freeze };
}

test.serial('tenants that share a Redis share no counters in it', async (t) => {
  const client = createClient({ url: 'redis://127.0.0.1:6379', socket: { connectTimeout: 60_000 } });
  await client.connect();
  const mark = newId();
  const keys = () => client.keys(`keelson:{*${mark}}:*`);
  t.teardown(async () => {
    for (const each of await keys()) await client.del(each);
    await client.close();
  });
  const place = await makeTenants(t, { [`a-${mark}`]: {}, [`b-${mark}`]: {} }, { REDIS_URL: 'redis://127.0.0.1:6379' });
  const { ask } = await place.start();
  // On a busy machine Redis may time out; then this process also counts to 60.
  const wave = await Promise.all(Array.from({ length: 125 }, () => ask(`a-${mark}.test`, 'GET', `${portal}/tickets`)));
  t.true(wave.some(({ status }) => status === 429));
  t.is((await ask(`b-${mark}.test`, 'GET', `${portal}/tickets`)).status, 401);
  const tenants = new Set((await keys()).map((each) => /\{(.*)\}/.exec(each)?.[1] ?? ''));
  t.deepEqual([...tenants].toSorted(byText), [`a-${mark}`, `b-${mark}`]);
});

/** Stopping ends all tenants and requests in progress. */
async function stopping(t: ExecutionContext, { running, ask, tenant }: TenantsRunning) {
  const apps = [tenant('acme').app, tenant('beta').app];
  const last = Promise.all(['acme.test', 'beta.test'].map((host) => ask(host, 'GET', `${portal}/tickets`)));
  t.deepEqual(
    (await last).map(({ status }) => status),
    [401, 401],
  );
  const closing = running.close();
  t.deepEqual((await ask('10.0.0.1', 'GET', '/ready')).body, { status: 'draining' });
  t.deepEqual((await ask('acme.test', 'GET', '/ready')).body, { status: 'draining' });
  await closing;
  for (const app of apps) t.false(await app.database.ping());
  await t.throwsAsync(ask('acme.test', 'GET', '/health'));
}

const byText = (a: string, b: string) => (a < b ? -1 : 1);
