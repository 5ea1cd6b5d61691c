// No request may block the event loop for more than a fifth of a second, because every other request waits.
import { request as httpRequest } from 'node:http';
import { startApp, type TestApp, type TestRequest } from '@keelson/testing';
import test from 'ava';
import type { Route } from '../../core/plugin/route/route.ts';
import { makerOf, makers, type Id } from '../_access-ids.ts';
import { makeWorld, type World } from '../_access-world.ts';
import { boundless } from '../_boundless.ts';
import { exhaustiveMs, full, tenth } from '../_random.ts';
import { watchLoop } from './_watch-loop.ts';
import { worstRequests, type WorstRequest } from './_worst-requests.ts';
import { addWorstRows } from './_worst-rows.ts';

const MOST_MS = 200;
/**
 * Copies of each record with maximum-length texts: fewer with a server, which reads rows in its own process, and in a
 * full run, because SQLite keeps at most 1 GiB in memory.
 */
const COPIES = process.env['TEST_DATABASE_URL'] ? 50 : full ? 60 : 150;
/** Compilation and garbage collection slow down single attempts: only a request that is slow every time fails. */
const TRIES = 5;

test('no parameter or body of any operation blocks the process for 200 ms', async (t) => {
  t.timeout(2 * exhaustiveMs);
  const app = await startApp(t, { limiter: boundless });
  const world = await makeWorld(app);
  const routes = tenth(app.app.plugins.flatMap((plugin) => plugin.routes ?? []));
  const targets: { route: Route; requests: WorstRequest[] }[] = [];
  for (const route of routes) targets.push({ route, requests: worstRequests(app, route, await idsFor(world, route)) });
  t.log(`${await addWorstRows(app, COPIES)} rows of worst texts`);
  await world.renew();
  const held: string[] = [];
  const failed: string[] = [];
  const statuses = new Map<number, number>();
  // Deletes and sign-outs come last: later requests would find no record or session.
  const order = ['get', 'put', 'post', 'delete'];
  for (const { route, requests } of targets.toSorted(
    (a, b) => order.indexOf(a.route.method) - order.indexOf(b.route.method),
  )) {
    if (route.name.includes('/auth/') || route.surface.id === 'pages') await world.renew();
    const credential = await credentialFor(world, route);
    for (const each of requests) {
      const { ms, status } = await longestHold(app, each, credential);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const line = `${status}: ${each.method} ${each.path.slice(0, 200)}`;
      if (ms >= MOST_MS) held.push(`${Math.round(ms)} ms, ${line}`);
      if (status === 500) failed.push(line);
    }
  }
  t.log(Object.fromEntries([...statuses].toSorted(([a], [b]) => a - b)));
  t.deepEqual(held, []);
  t.deepEqual(failed, []);
  t.true((statuses.get(200) ?? 0) > (full ? 500 : 30), 'most were answered');
});

const callers = { helpdesk: 'IT admin', admin: 'administrator', crm: 'key with', pages: 'technician' } as const;

function callerOf(world: World, { surface }: Route) {
  const caller = world.callers(surface.id)[callers[surface.id]];
  if (!caller) throw new Error(`No credential for ${surface.id}`);
  return caller;
}

function credentialFor(world: World, route: Route): Promise<TestRequest> {
  return callerOf(world, route).credential(route);
}

async function idsFor(world: World, route: Route): Promise<Id[]> {
  const { app, make } = world;
  const parents: Id[] = [];
  for (const param of route.template.params) {
    const maker = makerOf(makers, route, param);
    parents.push(await maker({ app, make, person: callerOf(world, route).own, side: 'own', parents: [...parents] }));
  }
  return parents;
}

/** Returns the longest block of the event loop: the best of several tries if it was long. */
async function longestHold(app: TestApp, asked: WorstRequest, credential: TestRequest) {
  let best = { ms: Infinity, status: 0 };
  for (let i = 0; i < TRIES && best.ms >= MOST_MS; i++) {
    const watch = watchLoop();
    const status = await send(app, asked, credential).finally(watch.stop);
    const ms = watch.longest();
    if (ms < best.ms) best = { ms, status };
  }
  return best;
}

/** Discards the response: reading it would block this process. */
function send(
  app: TestApp,
  { method, path, body }: WorstRequest,
  { token, key, cookie }: TestRequest,
): Promise<number> {
  const { hostname, port } = new URL(app.url);
  const headers = {
    'Sec-Fetch-Site': 'same-origin',
    ...(token && { Authorization: `Bearer ${token}` }),
    ...(key && { 'X-API-Key': key }),
    ...(cookie && { Cookie: cookie }),
    ...(body && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, method, path, headers }, (response) => {
      response.on('error', reject).on('end', () => resolve(response.statusCode ?? 0));
      // An event stream never ends.
      if (response.headers['content-type']?.startsWith('text/event-stream')) {
        resolve(response.statusCode ?? 0);
        response.destroy();
      }
      response.resume();
    });
    request.on('error', reject);
    request.end(body);
  });
}
