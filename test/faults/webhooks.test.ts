// FT-09: receivers misbehave in every known way while the delivering process is killed.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { TicketCreated } from '@keelson/modules/tickets';
import { createWebhook } from '@keelson/modules/webhooks';
import test from 'ava';
import { chance, seed } from '../_random.ts';
import { answering, dripping, flooding, hanging, resetting, startReceiver, well, type Receiver } from '../_receiver.ts';
import { startNode, type Node } from './_node.ts';
import { amount, engine, makePlace, type Place } from './_place.ts';

const EVENTS = amount(200, 2000);
const KILLS = amount(3, 8);
const LIFE_MS = 1200;
const MINUTE_MS = 60_000;
/** Clock jumps that make all waiting deliveries due: after the last kill, and once more if needed. */
const JUMPS_MS = [12 * 60 * MINUTE_MS, 48 * 60 * MINUTE_MS];
const PATIENCE_MS = 60_000;
const MOST_MEMORY_MIB = 420;

const manners = {
  well,
  failing: answering(500, {}, 'broken'),
  redirecting: answering(301, { location: 'http://127.0.0.1:1/' }),
  busy: answering(503, { 'retry-after': '120' }),
  hanging,
  dripping,
  flooding,
  resetting,
};

test.serial(
  `every event reaches every recovered receiver once, whatever is killed meanwhile (FT-09, ${engine})`,
  async (t) => {
    t.timeout(240_000);
    t.log(`seed ${seed}`);
    const place = await makePlace(t);
    const receivers = await Promise.all(Object.values(manners).map(() => startReceiver(t)));
    for (const [i, manner] of Object.values(manners).entries()) receivers[i]?.behave(manner);
    await place.open(async (app) => {
      for (const { url } of receivers) {
        await app.system().transaction((ctx) => createWebhook(ctx, 'admin', { url, events: ['ticket.created'] }));
      }
      for (let n = 0; n < EVENTS; n += 100) {
        await app.system().transaction(async (ctx) => {
          for (let i = n; i < n + 100; i++) ctx.emit(TicketCreated, ticket(i + 1, ctx.now));
        });
      }
    });
    const start = Date.now();
    // This clock continues while no process runs: claims of a killed process are due when the next one starts.
    const worker = (aheadMs: number) => startNode(t, place, 0, ['test/faults/_worker.ts', '0', '1', String(aheadMs)]);
    let memory = 0;
    for (let kills = 0; kills < KILLS; kills++) {
      const node = worker(kills * 6 * MINUTE_MS);
      await begun(node);
      await sleep(chance() * LIFE_MS);
      memory = Math.max(memory, residentMiB(node));
      await node.end('SIGKILL');
    }
    for (const each of receivers) each.recover();
    for (const jump of JUMPS_MS) {
      const node = worker(jump);
      await begun(node);
      await finished(place);
      memory = Math.max(memory, residentMiB(node));
      t.is(await node.end('SIGTERM'), 0, node.said());
    }
    const left = await waiting(place);
    const seen = receivers.map(numbers);
    const missing = seen.map((each) => EVENTS - each.size);
    const requests = receivers.map((each) => each.received.length);
    t.log(
      `FT-09 ${engine}: ${EVENTS} events for ${receivers.length} receivers, ${KILLS} kills,`,
      `${missing.reduce((sum, each) => sum + each, 0)} missing, ${left} waiting;`,
      `requests: ${Object.keys(manners)
        .map((name, i) => `${name} ${requests[i]}`)
        .join(', ')};`,
      `${Math.round(memory)} MiB at most; ${Math.round((Date.now() - start) / 1000)} s`,
    );
    t.deepEqual(
      missing,
      receivers.map(() => 0),
    );
    t.is(left, 0);
    t.true(memory < MOST_MEMORY_MIB, `${memory} MiB`);
  },
);

/** Returns a ticket as a list shows it. */
function ticket(ticket_id: number, at: string) {
  return {
    ticket_id,
    ticket_number: 1000 + ticket_id,
    subject: `Ticket ${ticket_id}`,
    description: 'It began on Monday.',
    status: 'open',
    priority: 3,
    job_type: 'General',
    company_number: 1,
    site_number: null,
    company_name: 'North',
    site_name: null,
    assigned_to: null,
    team_id: null,
    parent_id: null,
    start_date: null,
    estimate_minutes: null,
    assigned_name: null,
    approval_status: 'none',
    created_at: at,
    updated_at: at,
    due_date: null,
    tags: new Array<string>(),
    closed_at: null,
  } as const;
}

function numbers({ received }: Receiver): ReadonlySet<number> {
  return new Set(received.map((each) => each.json.data.ticket_id as number));
}

async function waiting({ ask }: Place): Promise<number> {
  const [row] = await ask(`SELECT COUNT(*) AS n FROM delivery WHERE subscriber LIKE 'webhook:%' AND state <> 'done'`);
  return Number(row?.['n']);
}

/** Waits until every due delivery is done; the rest waits for the next jump. */
async function finished(place: Place): Promise<void> {
  const since = Date.now();
  for (let before = -1, still = 0; still < 10 && Date.now() - since < PATIENCE_MS;) {
    const now = await waiting(place);
    if (now === 0) return;
    still = now === before ? still + 1 : 0;
    before = now;
    await sleep(300);
  }
}

async function begun(node: Node): Promise<void> {
  while (!node.said().includes('started')) {
    if (node.child.exitCode !== null) throw new Error(`The process did not start:\n${node.said()}`);
    await sleep(10);
  }
}

function residentMiB({ child }: Node): number {
  const line = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
  return Number(line?.[1]) / 1024;
}
