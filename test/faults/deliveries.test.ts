// FT-07: several processes deliver from the same queue while they are killed and paused.
import { relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { chance, seed } from '../_random.ts';
import { startNode, type Node } from './_node.ts';
import { amount, engine, makePlace, server, type Place } from './_place.ts';
import { EffectWanted } from './plugins/effects/plugin.ts';

const EVENTS = amount(300, 2000);
const PROCESSES = server ? 3 : 2;
const LONGEST_LIFE_MS = 1500;
/** Kills stop after this time: on a slow machine, a process may be killed before it does any work. */
const DISTURBED_MS = 30_000;
/** Share of processes killed before they start work. */
const DURING_START = 0.1;
/**
 * Share of processes paused for longer than their lease instead of killed; others have done their work when they
 * resume.
 */
const PAUSE_SHARE = 0.1;
/** Clock speed of the processes: a lease of one minute expires in two seconds. */
const SPEED = 30;
const PAUSE_MS = 3000;
const root = resolve(import.meta.dirname, '../..');

test.serial(`each delivery takes effect once, whatever is killed or paused (FT-07, ${engine})`, async (t) => {
  t.timeout(300_000);
  t.log(`seed ${seed}`);
  const pluginsDir = relative(root, resolve(import.meta.dirname, 'plugins'));
  const place = await makePlace(t, { pluginsDir });
  await emit(place);
  const since = performance.now();
  const { kills, pauses } = await disturb(t, place);
  const { done, attempts, again } = await deliveries(place);
  const made = await place.ask('SELECT n, COUNT(*) AS times FROM effects_effect GROUP BY n');
  const double = made.filter((each) => Number(each['times']) > 1).length;
  t.log(
    `FT-07 ${engine}: ${EVENTS} deliveries by ${PROCESSES} processes, ${kills} kills, ${pauses} pauses, ${double} double,`,
    `${EVENTS - made.length} missing; ${again} were begun again (${attempts} attempts);`,
    `${Math.round((performance.now() - since) / 1000)} s`,
  );
  t.is(double, 0);
  t.is(made.length, EVENTS);
  t.is(done, EVENTS);
  t.true(kills > 0);
});

test.serial(`a jobs-only process runs until told to stop (${engine})`, async (t) => {
  const place = await makePlace(t);
  const node = startNode(t, { env: { ...place.env, LOG_LEVEL: 'info' } }, 0, ['start.js', '--only=jobs']);
  await begun(node, 'Keelson is listening');
  await sleep(3000);
  t.is(node.child.exitCode, null, node.said());
  t.is(await node.end('SIGTERM'), 0, node.said());
});

async function emit(place: Place): Promise<void> {
  await place.open(async (app) => {
    for (let n = 0; n < EVENTS; n += 100) {
      await app.system().transaction(async (ctx) => {
        for (let i = n; i < n + 100; i++) ctx.emit(EffectWanted, { n: i });
      });
    }
  });
}

/** Starts and ends short-lived processes until everything is delivered. */
async function disturb(t: ExecutionContext, place: Place): Promise<{ kills: number; pauses: number }> {
  const start = Date.now();
  const worker = () => startNode(t, place, 0, ['test/faults/_worker.ts', String(start), String(SPEED)]);
  const counts = { kills: 0, pauses: 0 };
  let finished = false;
  const live = async (): Promise<void> => {
    let node = worker();
    while (!finished) {
      if (Date.now() - start > DISTURBED_MS) {
        await sleep(100);
        continue;
      }
      if (chance() > DURING_START) await begun(node);
      await sleep(chance() * LONGEST_LIFE_MS);
      if (finished) break;
      if (chance() < PAUSE_SHARE) {
        counts.pauses++;
        await pause(node);
        continue;
      }
      counts.kills++;
      await node.end('SIGKILL');
      node = worker();
    }
    await begun(node);
    t.is(await node.end('SIGTERM'), 0, node.said());
  };
  const lives = Promise.all(Array.from({ length: PROCESSES }, live));
  while ((await openDeliveries(place)) > 0) await sleep(100);
  // Paused processes resume first and finish their work.
  finished = true;
  await lives;
  return counts;
}

/** Resolves when the process prints the word that marks its start, or exits. */
async function begun(node: Node, word = 'started'): Promise<void> {
  while (!node.said().includes(word) && node.child.exitCode === null && node.child.signalCode === null) await sleep(10);
}

async function pause({ child }: Node): Promise<void> {
  child.kill('SIGSTOP');
  await sleep(PAUSE_MS);
  child.kill('SIGCONT');
}

async function openDeliveries({ ask }: Place): Promise<number> {
  const [row] = await ask(`SELECT COUNT(*) AS n FROM delivery WHERE subscriber = 'effects.make' AND state = 'open'`);
  return Number(row?.['n']);
}

async function deliveries({ ask }: Place): Promise<{ done: number; attempts: number; again: number }> {
  const [row] = await ask(`SELECT SUM(state = 'done') AS done, SUM(attempts) AS attempts, SUM(attempts > 1) AS again
    FROM delivery WHERE subscriber = 'effects.make'`);
  return { done: Number(row?.['done']), attempts: Number(row?.['attempts']), again: Number(row?.['again']) };
}
