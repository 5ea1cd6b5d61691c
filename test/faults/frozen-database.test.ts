// FT-06: the database hangs, slows down or disconnects; requests fail in time, and everything recovers by itself.
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { findFaults } from './_consistency.ts';
import { spread } from './_figures.ts';
import { freePort, startNode, statusOf, type Node } from './_node.ts';
import { amount, makePlace, password, server, type Place } from './_place.ts';
import { client, type Client, type Request, type Sent } from './_send.ts';
import { startTcpProxy, type TcpProxy } from './_tcp-proxy.ts';
import { startWriters } from './_writers.ts';

// The embedded SQLite has no connection to freeze.
const serverTest = server ? test.serial : test.serial.skip;
const reason = server ? '' : ', skipped: needs TEST_DATABASE_URL';
const ROUNDS = amount(1, 4);
/** The pool, the connections for sequences, and the circuit breaker's probes. */
const MOST_CONNECTIONS = 10 + 2 + 2;
const LIMIT_MS = 3000;

serverTest(`a frozen database is answered with 503 in time, and heals (FT-06${reason})`, async (t) => {
  const { place, node, proxy, http, requests } = await start(t);
  const refusals: Sent[] = [];
  const heals: number[] = [];
  t.deepEqual(statusesOf(await wave(http, node, requests)), [200, 201]);
  for (let round = 0; round < ROUNDS; round++) {
    proxy.freeze();
    const first = wave(http, node, requests);
    await sleep(300);
    t.is(await statusOf(`${node.url}/health`), 200);
    t.is(await statusOf(`${node.url}/ready`), 503);
    const second = await Promise.all([first, wave(http, node, requests)]);
    refusals.push(...second.flat(), ...(await wave(http, node, requests)));
    proxy.thaw();
    heals.push(await healed(t, http, node, requests));
    t.is(await statusOf(`${node.url}/ready`), 200);
  }
  checkRefusals(t, refusals);
  const left = await settled(place, proxy);
  t.log(
    `FT-06 frozen ${ROUNDS} times: ${refusals.length} requests refused, slowest ${slowest(refusals)} ms;`,
    `healed after ${spread(heals)}; ${left} connections at the end`,
  );
  t.true(left <= MOST_CONNECTIONS, `${left} connections`);
  t.is(node.child.exitCode, null);
});

serverTest(`a slow database is waited for, a very slow one is not (FT-06${reason})`, async (t) => {
  const { place, node, proxy, http, requests } = await start(t);
  proxy.delay(20);
  t.deepEqual(statusesOf(await wave(http, node, requests.slice(0, 8))), [200, 201]);
  proxy.delay(4000);
  const refusals = await wave(http, node, requests);
  checkRefusals(t, refusals);
  proxy.delay(0);
  const heal = await healed(t, http, node, requests);
  t.log(`FT-06 slow: slowest refusal ${slowest(refusals)} ms; healed after ${Math.round(heal)} ms`);
  t.true((await settled(place, proxy)) <= MOST_CONNECTIONS);
});

for (const [fault, title] of [
  ['reset', 'cut'],
  ['halfClose', 'half closed'],
] as const) {
  serverTest(`connections to the database that are ${title} under load lose nothing (FT-06${reason})`, async (t) => {
    const { place, node, proxy } = await start(t);
    const writers = startWriters(t, place, [node.url], 8);
    await writers.nextAck();
    for (let i = 0; i < amount(5, 20); i++) {
      await sleep(150);
      proxy[fault]();
    }
    const since = performance.now();
    await writers.nextAck();
    const heal = performance.now() - since;
    await writers.stop();
    const { acked, counts, unexpected } = writers;
    t.log(
      `FT-06 ${title}: ${acked.length} acknowledged, ${counts.refused} refused; healed after ${Math.round(heal)} ms`,
    );
    t.is(counts.unanswered, 0);
    t.deepEqual(unexpected.slice(0, 10), []);
    t.deepEqual((await findFaults(place, acked)).slice(0, 10), []);
    t.true(heal < 2000);
    t.true((await settled(place, proxy)) <= MOST_CONNECTIONS);
  });
}

async function start(t: ExecutionContext) {
  const place = await makePlace(t);
  const proxy = await startTcpProxy(t, new URL(server ?? ''));
  const url = new URL(place.env['DATABASE_URL'] ?? '');
  url.port = String(proxy.port);
  const node = startNode(t, { env: { ...place.env, DATABASE_URL: url.href } }, await freePort());
  const http = client(100);
  t.teardown(() => http.close());
  await node.ready();
  return { place, node, proxy, http, requests: await mixed(place, node, http) };
}

/** Returns 32 requests: writes and reads by technicians, and a few reads by an employee, who has a rate limit. */
async function mixed(place: Place, node: Node, http: Client): Promise<Request[]> {
  const login = { username: place.employee, password };
  const signedIn = await http.send(node.url, { method: 'POST', path: '/helpdesk/api/v1/auth/login', body: login });
  const { access_token } = JSON.parse(signedIn.text) as { access_token: string };
  const tickets = '/admin/api/v1/tickets.php';
  const body = { subject: 'Frozen', company_number: place.companies[0] };
  const own: Request = { method: 'GET', path: '/helpdesk/api/v1/tickets', token: access_token };
  const staff = Array.from({ length: 10 }, (): Request[] => [
    { method: 'POST', path: tickets, token: place.key, body },
    { method: 'POST', path: tickets, token: place.key, body },
    { method: 'GET', path: tickets, token: place.key },
  ]);
  return [...staff.flat(), own, own];
}

function wave(http: Client, node: Node, requests: readonly Request[]): Promise<Sent[]> {
  return Promise.all(requests.map((each) => http.send(node.url, each)));
}

function statusesOf(sent: readonly Sent[]): number[] {
  return [...new Set(sent.map((each) => each.status))].toSorted((a, b) => a - b);
}

function slowest(sent: readonly Sent[]): number {
  return Math.round(Math.max(...sent.map((each) => each.ms)));
}

function checkRefusals(t: ExecutionContext, refusals: readonly Sent[]): void {
  t.deepEqual(statusesOf(refusals), [503]);
  t.true(slowest(refusals) <= LIMIT_MS, `${slowest(refusals)} ms`);
  const shapes = refusals.map(({ text }) =>
    Object.keys(JSON.parse(text) as object)
      .toSorted()
      .join(),
  );
  t.deepEqual([...new Set(shapes)].toSorted(), ['error', 'error,success']);
}

/** Returns the time until all requests succeed again. */
async function healed(t: ExecutionContext, http: Client, node: Node, requests: readonly Request[]): Promise<number> {
  const since = performance.now();
  const few = requests.slice(0, 3);
  while (performance.now() - since < 10_000 && statusesOf(await wave(http, node, few)).includes(503)) await sleep(20);
  const heal = performance.now() - since;
  t.deepEqual(statusesOf(await wave(http, node, requests)), [200, 201]);
  t.true(heal <= 2000, `${heal} ms`);
  return heal;
}

/** Returns the connections left on either side after abandoned ones have closed. */
async function settled(place: Place, proxy: TcpProxy): Promise<number> {
  const name = new URL(place.env['DATABASE_URL'] ?? '').pathname.slice(1);
  let most = Infinity;
  for (let i = 0; i < 50 && most > MOST_CONNECTIONS; i++) {
    const [row] = await place.ask(`SELECT COUNT(*) AS n FROM information_schema.processlist
      WHERE db = '${name}' AND id <> CONNECTION_ID()`);
    most = Math.max(Number(row?.['n']), proxy.open());
    await sleep(100);
  }
  return most;
}
