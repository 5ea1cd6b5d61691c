import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createConnection, type Connection } from 'mysql2/promise';
import { claimDue, findDue } from '../../core/events/delivery.ts';
import { openDatabase } from '../../core/database/database.ts';
import { coreTables } from '../../core/tables.ts';
import { plus, systemClock } from '../../core/time.ts';
import type { Bench } from '../bench.ts';
import { adminList, type Database } from '../filled.ts';
import { cpuSeconds, startProduct, startWorker, type Running } from '../node-process.ts';
import { ticketsOf } from '../options.ts';
import { round } from '../report.ts';
import { median } from '../rounds.ts';
import { body } from '../webhook-floor.ts';
import { creates } from './create.ts';

/** What one endpoint may have at once, for both contenders. */
const WIDE = 4;
const CLAIMED = 40_000;
const HISTORY = 1_000_000;
const SAMPLES = 200;
/** No event of the product begins so: theirs begin with the time. */
const PREFIX = 'ffffff';

/** Claims, idle polls, how soon a delivery follows its commit, and how many go out beside a busy list. */
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

/** The history of the idle polls stays. */
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
    // Requests and deliveries are processes of their own, as on a busy installation.
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

/** From the moment a create is sent to its delivery: more than the time from the commit on. */
async function soon({ report }: Bench, database: Database, receiver: Floor, web: Running): Promise<void> {
  const [request] = creates('/admin/api/v1/tickets.php', database);
  const times: number[] = [];
  for (let i = 0; i < SAMPLES && request; i++) {
    const before = await receiver.count();
    const started = Date.now();
    const { method, headers, body: text = '' } = request;
    await (await fetch(`http://127.0.0.1:${web.port}${request.path}`, { method, headers, body: text })).text();
    let after = before;
    while (after.came === before.came) after = await receiver.count();
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

/** Each contender delivers for some seconds while technicians look at their lists. */
async function busy(bench: Bench, connection: Connection, database: Database, parts: Parts): Promise<void> {
  const { receiver, web, jobs, url, subscriber } = parts;
  const { options, loader, report } = bench;
  const requests = database.companies.map((company_number) =>
    adminList(database, { company_number, status: 'closed' }),
  );
  const list = () => loader.load({ port: web.port, requests, connections: WIDE, seconds: options.seconds });
  const found = { quiet: [] as number[], bare: [] as Side[], product: [] as Side[] };
  for (let i = 0; i < options.rounds; i++) {
    const quiet = await list();
    found.quiet.push(quiet.requests / quiet.seconds);
    const bare = await startFloor(['loop', url, String(WIDE)]);
    found.bare.push(await beside(list, receiver, bare.child.pid ?? 0));
    bare.child.kill();
    await backlog(connection, subscriber, options.seconds * 15_000);
    const before = await receiver.count();
    while ((await receiver.count()).came === before.came) await wait(10);
    found.product.push(await beside(list, receiver, jobs.pid));
    await connection.query(`DELETE FROM delivery WHERE state = 'open'`);
    await wait(500);
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
  const [before, used, since] = [await receiver.count(), cpu(), performance.now()];
  const { requests, seconds } = await list();
  const came = (await receiver.count()).came - before.came;
  return {
    rate: (came / (performance.now() - since)) * 1000,
    cpu: ((cpu() - used) * 1e6) / came,
    lists: requests / seconds,
  };
}

interface Floor {
  readonly child: ChildProcess;
  readonly port: number;
  count(): Promise<{ readonly came: number; readonly last: number }>;
}

async function startFloor(args: readonly string[]): Promise<Floor> {
  const child = fork(join(import.meta.dirname, '../webhook-floor.ts'), args);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const count = async () => {
    child.send({});
    return ((await once(child, 'message')) as [{ came: number; last: number }])[0];
  };
  return { child, port, count };
}

async function register(port: number, { key }: Database, url: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/admin/api/v1/webhooks.php`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url, events: ['ticket.created'] }),
  });
  const text = await answer.text();
  if (answer.status !== 201) throw new Error(`The webhook was refused: ${text}`);
  return (JSON.parse(text) as { data: { webhook_id: number } }).data.webhook_id;
}

/** Events with a delivery each, as they stand after the commits of so many tickets. */
async function backlog(connection: Connection, subscriber: string, n: number, state = 'open'): Promise<void> {
  const { data } = JSON.parse(body) as { data: unknown };
  const id = `CONCAT('${PREFIX}${Date.now().toString(16)}', LPAD(HEX(seq), 12, '0'))`;
  await connection.query(
    `INSERT INTO event (event_id, name, at, data)
      SELECT ${id}, 'ticket.created', UTC_TIMESTAMP(3) - INTERVAL 1 MINUTE, ? FROM seq_1_to_${n}`,
    [JSON.stringify(data)],
  );
  await connection.query(
    `INSERT INTO delivery (event_id, subscriber, state, available_at, attempts, fence)
      SELECT ${id}, ?, ?, UTC_TIMESTAMP(3) - INTERVAL 1 MINUTE, 0, 0 FROM seq_1_to_${n}`,
    [subscriber, state],
  );
}

async function forget(connection: Connection): Promise<void> {
  await connection.query('TRUNCATE TABLE delivery');
  await connection.query(`DELETE FROM event WHERE event_id LIKE '${PREFIX}%'`);
}
