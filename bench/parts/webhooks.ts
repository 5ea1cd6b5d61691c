import { getPriority, setPriority } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { createConnection, type Connection, type ResultSetHeader } from 'mysql2/promise';
import { coreTables } from '../../core/process/database/tables.ts';
import { openDatabase } from '../../packages/database/database.ts';
import { claimDue } from '../../packages/events/delivery/claim.ts';
import { findDue } from '../../packages/events/delivery/delivery.ts';
import { plus, systemClock } from '../../packages/kit/time.ts';
import { backlog, forget, storeDeliveries, storeEvents } from '../backlog.ts';
import type { Bench } from '../bench.ts';
import { adminList, type Database } from '../filled.ts';
import { cpuSeconds, startProduct, startWorker, type Running } from '../node-process.ts';
import { ticketsOf } from '../options.ts';
import { round } from '../report.ts';
import { median, MORE_ROUNDS } from '../rounds.ts';
import { startFloor, type Floor } from '../webhook-process.ts';
import { creates } from './create.ts';

/** Concurrent deliveries to one endpoint, for both contenders. */
const WIDE = 4;
const CLAIMED = 40_000;
const HISTORY = 1_000_000;
const SAMPLES = 200;
/** Upper bound: neither contender delivers more. */
const MOST_PER_SECOND = 9000;
const WARM_MS = 300;
const PAUSE_MS = 500;

/** Measures claims, idle polls, the delay from commit to delivery, and throughput beside a busy list. */
export default async function webhooks(bench: Bench): Promise<void> {
  const [tickets = 0] = ticketsOf(bench.options);
  const database = await bench.database(tickets);
  const url = database.env['DATABASE_URL'] ?? '';
  const connection = await createConnection({ uri: url });
  try {
    await claims(bench, connection, url);
    await idlePolls(bench, connection, url);
    await deliveries(bench, connection, database);
  } finally {
    await forget(connection);
    await connection.end();
  }
}

async function claims({ report, options, server }: Bench, connection: Connection, url: string): Promise<void> {
  const database = await openDatabase({ url, file: '', tables: coreTables, log: { warn: () => {} } });
  const cpu = () => cpuSeconds(process.pid) + cpuSeconds(server?.pid ?? 0);
  const rounds: { rate: number; cpu: number }[] = [];
  for (let i = 0; i < options.rounds; i++) {
    await forget(connection);
    await backlog(connection, 'bench.claim', CLAIMED);
    const [started, used] = [performance.now(), cpu()];
    const now = systemClock.now();
    const lease = { now, until: plus(now, { seconds: 600 }) };
    let claimed = 0;
    for (let more = 1; more > 0; claimed += more) {
      more = (await claimDue(database, [{ subscriber: 'bench.claim', limit: 500 }], lease)).length;
    }
    if (claimed !== CLAIMED) throw new Error(`${claimed} of ${CLAIMED} were claimed`);
    rounds.push({ rate: (claimed / (performance.now() - started)) * 1000, cpu: ((cpu() - used) * 1e6) / claimed });
  }
  await database.close();
  const rate = median(rounds.map((each) => each.rate));
  const each = round(median(rounds.map(({ cpu: used }) => used)));
  report.table('Claims by one dispatcher', [{ 'events/s': Math.round(rate), 'CPU µs each, app + database': each }]);
  report.measured('claim', rate);
}

async function idlePolls({ report }: Bench, connection: Connection, url: string): Promise<void> {
  await forget(connection);
  await backlog(connection, 'bench.history', HISTORY, 'done');
  const database = await openDatabase({ url, file: '', tables: coreTables, log: { warn: () => {} } });
  const times: number[] = [];
  for (let i = 0; i < SAMPLES; i++) {
    const started = performance.now();
    await findDue(database, systemClock.now());
    times.push(performance.now() - started);
  }
  await database.close();
  report.table(`Idle poll, ${HISTORY} delivered`, [{ 'p50 ms': round(median(times)) }]);
  report.measured('idlePoll', median(times));
}

/** The event history of the idle polls stays. */
async function deliveries(bench: Bench, connection: Connection, database: Database): Promise<void> {
  const receiver = await startFloor(['receiver']);
  const url = `http://127.0.0.1:${receiver.port}/hook`;
  try {
    const product = await startProduct(database.env);
    const webhook = await register(product.port, database, url);
    try {
      await soon(bench, database, receiver, product);
    } finally {
      await product.stop();
    }
    // Requests and deliveries run in separate processes, as on a busy installation.
    const web = await startProduct(database.env, ['--only=web']);
    const jobs = startWorker(database.env);
    const parts = { receiver, web, jobs, url, subscriber: `webhook:${webhook}` };
    try {
      await busy(bench, connection, database, parts);
    } finally {
      await Promise.all([web.stop(), jobs.stop()]);
    }
  } finally {
    receiver.child.kill();
  }
}

/** Times a create from the request to its delivery, an upper bound of the time from the commit. */
async function soon({ report }: Bench, database: Database, receiver: Floor, web: Running): Promise<void> {
  const [request] = creates('/admin/api/v1/tickets.php', database);
  const times: number[] = [];
  for (let i = 0; i < SAMPLES && request; i++) {
    const before = await receiver.count();
    const started = Date.now();
    const { method, headers, body: text = '' } = request;
    await (await fetch(`http://127.0.0.1:${web.port}${request.path}`, { method, headers, body: text })).text();
    let after = before;
    // The receiver records the arrival time; polling without a pause would take a core from each measured process.
    while (after.came === before.came) {
      await wait(1);
      after = await receiver.count();
    }
    times.push(after.last - started);
  }
  report.table('From sending a create to its delivery', [{ 'p50 ms': round(median(times)) }]);
  report.measured('commitToDelivery', median(times));
}

interface Parts {
  readonly receiver: Floor;
  readonly web: Running;
  readonly jobs: Pick<Running, 'pid'>;
  readonly url: string;
  readonly subscriber: string;
}

/** Each contender delivers for some seconds while technicians load their lists. */
async function busy(bench: Bench, connection: Connection, database: Database, parts: Parts): Promise<void> {
  const { receiver, web, jobs, url, subscriber } = parts;
  const { options, loader, report, server } = bench;
  const requests = database.companies.map((company_number) =>
    adminList(database, { company_number, status: 'closed' }),
  );
  const list = () => loader.load({ port: web.port, requests, connections: WIDE, seconds: options.seconds });
  const found = { quiet: [] as number[], bare: [] as Side[], product: [] as Side[] };
  // Write all events once, so that purging them does not burden a single turn.
  const stored = await storeEvents(connection, options.seconds * MOST_PER_SECOND);
  await server?.written();
  const turns = [
    async () => {
      const { requests: n, seconds } = await list();
      found.quiet.push(n / seconds);
    },
    async () => {
      const bare = await startFloor(['loop', url, String(WIDE)]);
      // Equal scheduling priority, because a delivery process would otherwise yield to those that serve requests.
      setPriority(bare.child.pid ?? 0, getPriority(jobs.pid));
      found.bare.push(await beside(list, receiver, bare.child.pid ?? 0));
      bare.child.kill();
    },
    async () => {
      await storeDeliveries(connection, subscriber, stored);
      found.product.push(await beside(list, receiver, jobs.pid));
      const [left] = await connection.query<ResultSetHeader>(`DELETE FROM delivery WHERE state = 'open'`);
      if (left.affectedRows === 0) throw new Error('Everything was delivered before the measurement ended');
    },
  ];
  for (let i = 0; i < options.rounds + MORE_ROUNDS; i++) {
    for (let at = 0; at < turns.length; at++) {
      await turns[(i + at) % turns.length]?.();
      await wait(PAUSE_MS);
    }
  }
  const of = (sides: readonly Side[], what: keyof Side) => median(sides.map((each) => each[what]));
  const quiet = median(found.quiet);
  const row = (name: string, sides: readonly Side[]) => ({
    contender: name,
    'deliveries/s': Math.round(of(sides, 'rate')),
    'CPU µs each': Math.round(of(sides, 'cpu')),
    'lists/s beside': Math.round(of(sides, 'lists')),
    'of the quiet lists': round(of(sides, 'lists') / quiet),
  });
  report.table(`Deliveries beside lists, c=${WIDE}`, [row('http.Agent', found.bare), row('product', found.product)]);
  report.measured('deliveries', median(found.product.map((each, i) => each.rate / (found.bare[i]?.rate ?? 1))));
  report.measured('besideDeliveries', median(found.product.map((each, i) => each.lists / (found.quiet[i] ?? 1))));
}

interface Side {
  readonly rate: number;
  readonly cpu: number;
  readonly lists: number;
}

type List = () => Promise<{ readonly requests: number; readonly seconds: number }>;

async function beside(list: List, receiver: Floor, sender: number): Promise<Side> {
  const cpu = () => cpuSeconds(sender);
  const { came: none } = await receiver.count();
  while ((await receiver.count()).came === none) await wait(10);
  await wait(WARM_MS);
  const [before, used, since] = [await receiver.count(), cpu(), performance.now()];
  const { requests, seconds } = await list();
  const came = (await receiver.count()).came - before.came;
  return {
    rate: (came / (performance.now() - since)) * 1000,
    cpu: ((cpu() - used) * 1e6) / came,
    lists: requests / seconds,
  };
}

async function register(port: number, { key }: Database, url: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/admin/api/v1/webhooks.php`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url, events: ['ticket.created'] }),
  });
  const text = await answer.text();
  if (answer.status !== 201) throw new Error(`The webhook was rejected: ${text}`);
  return (JSON.parse(text) as { data: { webhook_id: number } }).data.webhook_id;
}
