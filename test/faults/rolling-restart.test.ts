// FT-08: restarts two processes behind a load balancer in turn, without errors for clients.
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { chance, seed } from '../_random.ts';
import { findFaults } from './_consistency.ts';
import { quantile, spread } from './_figures.ts';
import { hasHaproxy, startHaproxy } from './_haproxy.ts';
import { freePort, isReady, startNode, type Node } from './_node.ts';
import { amount, engine, makePlace, type Place } from './_place.ts';
import { client, Unanswered, type Client, type Request, type Sent } from './_send.ts';
import type { Acked } from './_writers.ts';

const RESTARTS = amount(3, 10);
const EVERY_MS = 3000;
const BUSY_CLIENTS = 8;
/** Clients that pause between requests, so that their connections are idle when the process stops. */
const SLOW_CLIENTS = 4;
/** Interval of the balancer's readiness checks. */
const ASK_EVERY_MS = 100;

test.serial(`a rolling restart aborts and fails no request (FT-08, ${engine})`, (t) => restartInTurn(t));

const behindHaproxy = hasHaproxy ? test.serial : test.serial.skip;
behindHaproxy(`nor behind HAProxy with the configuration that is shipped (FT-08, ${engine})`, async (t) => {
  await restartInTurn(t, startHaproxy);
});

/** Restarts two processes in turn behind the balancer of the clients, or another one. */
async function restartInTurn(t: ExecutionContext, startBalancer?: typeof startHaproxy): Promise<void> {
  t.log(`seed ${seed}`);
  const place = await makePlace(t);
  const ports = [await freePort(), await freePort()];
  const nodes = ports.map((port) => startNode(t, place, port));
  await Promise.all(nodes.map((each) => each.ready()));
  const balancer = await startBalancer?.(t, ports);
  for (const port of ports) await balancer?.uses(port);
  const clients = startClients(t, place, balancer ? [balancer.url] : nodes.map((each) => each.url));
  const stops: number[] = [];
  const codes: unknown[] = [];
  for (let i = 0; i < RESTARTS; i++) {
    const since = performance.now();
    codes.push(await stopOf(nodes, i).end('SIGTERM'));
    stops.push(performance.now() - since);
    nodes[i % 2] = startNode(t, place, ports[i % 2] ?? 0);
    await stopOf(nodes, i).ready();
    // A rolling restart waits until the balancer uses the previous process; otherwise none is left.
    if (balancer) await balancer.uses(ports[i % 2] ?? 0);
    else await clients.uses(stopOf(nodes, i).url);
    await sleep(Math.max(0, EVERY_MS - (performance.now() - since)));
  }
  await clients.stop();
  const { acked, errors, counts } = clients;
  t.log(
    `FT-08 ${engine}: ${RESTARTS} restarts, ${counts.answered} requests answered (${acked.length} writes),`,
    `${errors.length} errors, ${counts.refused} went to the other process,`,
    `${counts.kept} idle connections closed while asked; stopping took ${spread(stops)}`,
  );
  t.deepEqual(errors.slice(0, 10), []);
  t.deepEqual(new Set(codes), new Set([0]));
  t.true(quantile(stops, 1) < 15_000);
  t.deepEqual((await findFaults(place, acked)).slice(0, 10), []);
}

function stopOf(nodes: readonly Node[], i: number): Node {
  const node = nodes[i % 2];
  if (!node) throw new Error('There are two');
  return node;
}

/** Returns the next target: processes in turn, without those that are not ready or refused a connection. */
function balance(t: ExecutionContext, urls: readonly string[]) {
  const unready = new Set<string>();
  let turn = 0;
  let ended = false;
  const watch = async (url: string) => {
    while (!ended) {
      if (await isReady(url)) unready.delete(url);
      else unready.add(url);
      await sleep(ASK_EVERY_MS);
    }
  };
  const watching = Promise.all(urls.map(watch));
  t.teardown(async () => {
    ended = true;
    await watching;
  });
  return {
    next: () => {
      const ready = urls.filter((url) => !unready.has(url));
      const some = ready.length > 0 ? ready : urls;
      return some[turn++ % some.length] ?? '';
    },
    refused: (url: string) => void unready.add(url),
    async uses(url: string) {
      while (unready.has(url)) await sleep(10);
    },
  };
}

function startClients(t: ExecutionContext, place: Place, urls: readonly string[]) {
  const acked: Acked[] = [];
  const errors: string[] = [];
  const counts = { answered: 0, refused: 0, kept: 0 };
  const balancer = balance(t, urls);
  let stopped = false;

  /** Retries only as a client may: elsewhere after a refused connection, or after a reused connection was closed. */
  const persist = async (http: Client, request: Request): Promise<Sent> => {
    let refused = 0;
    for (;;) {
      const url = balancer.next();
      try {
        return await http.send(url, request);
      } catch (error) {
        if (!(error instanceof Unanswered) || (!error.refused && !error.kept)) throw error;
        if (error.refused) balancer.refused(url);
        if (error.refused && ++refused > urls.length) throw error;
        counts[error.refused ? 'refused' : 'kept']++;
      }
    }
  };
  const run = async (number: number) => {
    const http = client();
    for (let i = 0; !stopped; i++) {
      const subject = `rolling ${number} ${i}`;
      try {
        const sent = await persist(http, i % 2 ? write(place, subject) : read(place));
        counts.answered++;
        if (sent.status === 201) acked.push({ ...JSON.parse(sent.text).data, subject });
        else if (sent.status !== 200) errors.push(`${sent.status} ${sent.text.slice(0, 200)}`);
      } catch (error) {
        errors.push(String(error));
      }
      if (number >= BUSY_CLIENTS) await sleep(50 + chance() * 900);
    }
    http.close();
  };
  const running = Array.from({ length: BUSY_CLIENTS + SLOW_CLIENTS }, (_, number) => run(number));
  const stop = async () => {
    stopped = true;
    await Promise.all(running);
  };
  t.teardown(stop);
  return { acked, errors, counts, stop, uses: balancer.uses };
}

function write({ key, companies }: Place, subject: string): Request {
  const body = { subject, company_number: companies[0] };
  return { method: 'POST', path: '/admin/api/v1/tickets.php', token: key, body, idempotencyKey: subject };
}

function read({ key }: Place): Request {
  return { method: 'GET', path: '/admin/api/v1/tickets.php?per_page=10', token: key };
}
