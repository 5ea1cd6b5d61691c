// Kills the processes that change tickets with an SLA and announce what is due: the clocks stay those of a
// minute-by-minute oracle, and each missed target is announced once (FT-26).
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '@keelson/core';
import { theSystem } from '@keelson/core/log';
import { contextOf } from '@keelson/core/system';
import { createCompany } from '@keelson/modules/directory';
import { Ticket } from '@keelson/modules/tickets';
import test from 'ava';
import { createCalendar, createHoliday } from '../../modules/levels/calendars/calendars.ts';
import { LevelClock } from '../../modules/levels/clocks/entities.ts';
import { planOf, readCurrentPlans } from '../../modules/levels/plans.ts';
import { createPolicy } from '../../modules/levels/policies/policies.ts';
import { StoredEvent } from '../../packages/events/delivery/delivery.ts';
import { ActivityLine } from '../../packages/log/activity.ts';
import { chance, seed } from '../_random.ts';
import { expectedClocks, inOrder, type State } from '../core/_clock-oracle.ts';
import { localMinutes } from '../core/_minutes.ts';
import {
  DAYS,
  FIRST_DAY,
  historyOf,
  LENGTH,
  randomFrom,
  REPLANNED,
  targetsOf,
  weekOf,
  zones,
} from './_clock-history.ts';
import { startNode, type Node } from './_node.ts';
import { amount, engine, makePlace } from './_place.ts';

const TICKETS = amount(60, 2000);
const WINDOWS = amount(4, 20);
const WORKERS = 2;
/** The share of orders during which the process is killed. */
const KILLED = amount(0.3, 0.4);
const MIDDLE = new Date(Date.parse(FIRST_DAY) + (DAYS / 2) * 86_400_000).toISOString().slice(0, 10);

test.serial(`clocks stay exact while their processes are killed (${engine})`, async (t) => {
  t.timeout(1_200_000);
  t.log(`seed ${seed}`);
  const place = await makePlace(t);
  let firstCompany = 0;
  await place.open(async (app) => void (firstCompany = await setUp(app)));
  const start = (worker: number) =>
    startNode(t, place, 0, [
      'test/faults/_clock-worker.ts',
      ...[seed, TICKETS, worker, WORKERS, firstCompany].map(String),
    ]);
  const nodes = Array.from({ length: WORKERS }, (_, worker) => start(worker));
  let kills = 0;
  const order = async (worker: number, line: string): Promise<void> => {
    for (let isKilled = chance() < KILLED; ; isKilled = false) {
      const node = nodes[worker] as Node;
      const done = answered(node);
      node.child.stdin?.write(`${line}\n`);
      if (!isKilled) {
        await done;
        return;
      }
      await Promise.race([done, sleep(chance() * 1500)]);
      await node.end('SIGKILL');
      await done.catch(() => undefined);
      kills++;
      nodes[worker] = start(worker);
    }
  };
  const all = (line: string) => Promise.all(nodes.map((_, worker) => order(worker, line)));
  for (let window = 0; window < WINDOWS; window++) {
    const [from, to] = [window, window + 1].map((each) => Math.floor((LENGTH * each) / WINDOWS));
    await all(`act ${from} ${to}`);
    // Tickets are planned again at the end of the next window.
    if (window < WINDOWS - 1) await order(0, `replan ${to} ${window}`);
    await all(`announce ${Number(to) - 1}`);
  }
  for (const each of nodes) each.child.stdin?.end();
  await Promise.all(nodes.map(async ({ child }) => child.exitCode ?? once(child, 'exit')));
  await place.open(async (app) => {
    const { compared, differences } = await compare(app, firstCompany);
    t.deepEqual(differences, []);
    t.deepEqual(await announcements(app, firstCompany), []);
    t.log(`${engine}: ${compared} of ${TICKETS} tickets compared, ${kills} kills, no difference`);
  });
});

/** Resolves when a process answers `done`. @throws when it exits first */
async function answered({ child, said }: Node): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const heard = (text: string) => (text.includes('done') ? end(resolve) : undefined);
    const gone = () => end(() => reject(new Error(`The process ended:\n${said()}`)));
    const end = (then: () => void) => {
      child.stdout?.off('data', heard);
      child.off('exit', gone);
      then();
    };
    child.stdout?.on('data', heard);
    child.on('exit', gone);
  });
}

/** Creates a company with a calendar and a policy for each zone; returns the first company. */
async function setUp(app: App): Promise<number> {
  const random = randomFrom(seed);
  const now = `${FIRST_DAY}T00:00:00.000Z`;
  const companies: number[] = [];
  for (const time_zone of zones)
    await contextOf({ app, actor: undefined, author: theSystem, now }).transaction(async (ctx) => {
      const { company_number } = await createCompany(ctx, { customer: `Customer in ${time_zone}` });
      const { calendar_id } = await createCalendar(ctx, { name: time_zone, time_zone, hours: weekOf(random) });
      for (const day of ['2026-03-09', '2026-03-29'])
        await createHoliday(ctx, { calendar_id, day, name: 'Holiday', hours: random() < 0.5 ? [] : noon });
      await createPolicy(ctx, {
        name: time_zone,
        calendar_id,
        company_number,
        targets: targetsOf(random),
        pause_on_hold: random() < 0.7,
        pause_waiting_for_customer: random() < 0.7,
      });
      companies.push(company_number);
    });
  return companies[0] ?? 0;
}

/** Whether the targets of a company, counted from the first, are changed while clocks run. */
const isReplanned = (company: number): boolean => company < REPLANNED;

const noon = [{ from: '11:00', to: '13:30' }];

/** Compares the stored clocks with the oracle, which knows the steps from the log. */
async function compare(app: App, firstCompany: number): Promise<{ compared: number; differences: string[] }> {
  const plans = await readCurrentPlans(app.database);
  const tables = new Map(zones.map((zone) => [zone as string, localMinutes(zone, MIDDLE, DAYS)]));
  const stored = await app.database.find(LevelClock);
  const clocksOf = Map.groupBy(stored, (each) => each.ticket_id);
  const tickets = new Map((await app.database.find(Ticket)).map((each) => [each.subject, each]));
  const lines = await app.database.find(ActivityLine, { where: { entity_type: 'history' }, order: { log_id: 'ASC' } });
  const stepsOf = Map.groupBy(lines, (each) => Number(each.entity_id));
  const differences: string[] = [];
  let compared = 0;
  for (let of = 0; of < TICKETS; of++) {
    const steps = (stepsOf.get(of) ?? []).map((each) => stepOf(each.description));
    const ticket = tickets.get(`History ${of}`);
    const policy = plans.policies.find((each) => each.company_number === ticket?.company_number);
    const table = tables.get(policy?.name ?? '');
    if (!ticket || !policy || !table) throw new Error(`History ${of} has no ticket or policy`);
    if (steps.length !== historyOf(seed, of).length) differences.push(`History ${of} has ${steps.length} steps`);
    // What was closed keeps the targets it had.
    if (ticket.status === 'closed' && isReplanned(ticket.company_number - firstCompany)) continue;
    compared++;
    const known = { ...table, steps, plan: planOf(plans, policy, ticket, () => []), outages: [], now: LENGTH - 1 };
    const [found, expected] = [inOrder(clocksOf.get(ticket.ticket_id) ?? [], known), expectedClocks(known)];
    if (JSON.stringify(found) !== JSON.stringify(expected))
      differences.push(`History ${of}: ${JSON.stringify({ steps, found, expected })}`);
  }
  return { compared, differences };
}

function stepOf(description: string): readonly [number, State] {
  const [, , , minute, act, status, approval, waiting, by] = description.split(' ');
  const last_comment_by = by === 'customer' || by === 'technician' ? by : null;
  const state = { status: status as State['status'], pending: approval === 'pending', waiting: waiting === 'waiting' };
  return [Number(minute), { ...state, last_comment_by, replied: act === 'reply' }];
}

/** Returns the targets whose miss was announced too often or not at all. */
async function announcements(app: App, firstCompany: number): Promise<string[]> {
  const told = new Map<string, number>();
  for (const { data } of await app.database.find(StoredEvent, { where: { name: 'ticket.sla_breached' } })) {
    const { ticket_id, clock } = data as { ticket_id: number; clock: string };
    told.set(`${ticket_id} ${clock}`, (told.get(`${ticket_id} ${clock}`) ?? 0) + 1);
  }
  const missed = new Map<string, number>();
  for (const { ticket_id, kind, breached_at } of await app.database.find(LevelClock)) {
    if (breached_at === null) continue;
    missed.set(`${ticket_id} ${kind}`, (missed.get(`${ticket_id} ${kind}`) ?? 0) + 1);
  }
  const tickets = new Map((await app.database.find(Ticket)).map((each) => [each.ticket_id, each]));
  return [...new Set([...told.keys(), ...missed.keys()])].flatMap((key) => {
    const [told_, missed_] = [told.get(key) ?? 0, missed.get(key) ?? 0];
    const { subject = '', company_number = 0 } = tickets.get(Number(key.split(' ')[0])) ?? {};
    const of = Number(subject.slice('History '.length));
    // A target that was missed may be met by other targets, and be missed again by the next.
    const mayRepeat =
      isReplanned(company_number - firstCompany) ||
      historyOf(seed, of).some(({ act }) => act === 'raise' || act === 'lower' || act === 'reopen');
    const isRight = mayRepeat ? told_ >= missed_ : told_ === missed_;
    return isRight ? [] : `${subject}, ${key}: announced ${told_} times, missed ${missed_} times`;
  });
}
