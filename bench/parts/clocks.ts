import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { largest, type Bench } from '../bench.ts';
import { adminList, type Database } from '../filled.ts';
import { startProduct } from '../node-process.ts';
import type { Due, FilledClocks } from '../prepare-clocks.ts';
import { round } from '../report.ts';

const CLOCKS = 50_000;
const PROCESSES = 2;
const MEASURED_MS = 120_000;
/** Time for what became due at the end to arrive. */
const REST_MS = 15_000;
const TIMES = 200;

interface Arrival {
  readonly ticket_id: number;
  readonly percent: number;
  readonly at: number;
}

/**
 * Measures how late warnings and breaches of 50,000 running SLA clocks arrive at a webhook, with two processes, and the
 * queue by time left. The clocks are stopped again at the end.
 */
export default async function clocks({ options, folder, loader, report, database: of }: Bench): Promise<void> {
  const database = await of(largest(options));
  const arrivals: Arrival[] = [];
  const receiver = await receive((arrival) => arrivals.push(arrival));
  const filled = startClocks(database, folder);
  const running = await Promise.all(Array.from({ length: PROCESSES }, () => startProduct(database.env)));
  const port = running[0]?.port ?? 0;
  try {
    const webhook = await register(port, database, receiver.url);
    const target = (sort: string, order: string) => ({
      ...adminList(database, { status: 'open', sort, order, per_page: 25 }),
      port,
    });
    const targets = [target('created_at', 'desc'), target('time_left', 'asc')];
    // A warm-up first.
    await loader.sample({ targets, times: TIMES });
    const [byDate, byTimeLeft] = await loader.sample({ targets, times: TIMES });
    const times = { 'by date, ms': round(byDate?.p50 ?? 0), 'by time left, ms': round(byTimeLeft?.p50 ?? 0) };
    report.table(`Queue of open tickets, ${database.tickets} tickets, ${filled.due.length} clocks`, [times]);
    const begin = Math.min(...filled.due.map((each) => each.at));
    if (Date.now() > begin) throw new Error('The first clock was due before the processes had started');
    const end = begin + MEASURED_MS;
    await wait(end + REST_MS - Date.now());
    const due = filled.due.filter(({ at }) => at < end);
    const results = late(due, arrivals);
    report.table(`Warnings and breaches, ${filled.due.length} clocks, ${PROCESSES} processes`, [
      { moments: 'spread', ...results(({ together }) => !together) },
      { moments: 'together', ...results(({ together }) => together) },
    ]);
    const all = results(() => true);
    report.measured('clockLate', all['latest, s']);
    report.measured('clockOnce', all.missing + all.repeated);
    report.measured('queueByTimeLeft', (byTimeLeft?.p50 ?? 0) / (byDate?.p50 ?? 1));
    await send(port, database, 'DELETE', `/webhooks.php?id=${webhook}`);
    await send(port, database, 'DELETE', `/levels/policies.php?id=${filled.policy_id}`);
  } finally {
    await Promise.all(running.map(({ stop }) => stop()));
    receiver.close();
  }
}

function startClocks({ env }: Database, folder: string): FilledClocks {
  const path = join(folder, 'clocks.json');
  const quiet = { PATH: process.env['PATH'], ...env, LOG_LEVEL: 'error' };
  execFileSync(process.execPath, ['bench/prepare-clocks.ts', String(CLOCKS), path], { env: quiet, stdio: 'inherit' });
  return JSON.parse(readFileSync(path, 'utf8')) as FilledClocks;
}

/** Returns figures of those clocks that a condition picks. */
function late(due: readonly Due[], arrivals: readonly Arrival[]) {
  const keyOf = ({ ticket_id, percent }: Pick<Due, 'ticket_id' | 'percent'>) => `${ticket_id} ${percent}`;
  const came = Map.groupBy(arrivals, keyOf);
  return (isMeant: (due: Due) => boolean) => {
    const meant = due.filter(isMeant);
    const delays = meant
      .flatMap((each) => (came.get(keyOf(each)) ?? []).slice(0, 1).map(({ at }) => (at - each.at) / 1000))
      .toSorted((a, b) => a - b);
    return {
      due: meant.length,
      missing: meant.length - delays.length,
      repeated: meant.filter((each) => (came.get(keyOf(each))?.length ?? 0) > 1).length,
      'p50, s': round(delays[Math.floor(delays.length / 2)] ?? 0),
      'p99, s': round(delays[Math.floor(delays.length * 0.99)] ?? 0),
      'latest, s': round(delays.at(-1) ?? 0),
    };
  };
}

async function receive(note: (arrival: Arrival) => void): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((incoming, outgoing) => {
    const at = Date.now();
    void text(incoming).then((body) => {
      const { data } = JSON.parse(body) as { data: Pick<Arrival, 'ticket_id' | 'percent'> };
      note({ ticket_id: data.ticket_id, percent: data.percent, at });
      outgoing.writeHead(204).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function register(port: number, database: Database, url: string): Promise<number> {
  const events = ['ticket.sla_warned', 'ticket.sla_breached'];
  const answer = await send(port, database, 'POST', '/webhooks.php', { url, events });
  return (JSON.parse(answer) as { data: { webhook_id: number } }).data.webhook_id;
}

async function send(port: number, { key }: Database, method: string, path: string, body?: object): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/admin/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const said = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} was refused: ${said}`);
  return said;
}
