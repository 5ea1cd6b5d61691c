// FT-01: kills the process at random moments under write load and restarts it at once.
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { chance, seed } from '../_random.ts';
import { findFaults } from './_consistency.ts';
import { quantile, spread } from './_figures.ts';
import { freePort, startNode } from './_node.ts';
import { amount, engine, full, makePlace } from './_place.ts';
import { startWriters } from './_writers.ts';

const KILLS = amount(4, 100);
/** Time limit for the kills, because CI may be slow; it applies whatever their number. */
const LONGEST_MS = amount(45_000, 600_000);
/** Acknowledged writes between two kills, at least. */
const ACKED = 10;
/** Share of kills that hit a process during start-up. */
const DURING_START = 0.1;

test.serial(`no acknowledged write is lost when the process is killed under load (FT-01, ${engine})`, async (t) => {
  t.timeout(900_000);
  t.log(`seed ${seed}`);
  const place = await makePlace(t);
  const port = await freePort();
  let node = startNode(t, place, port);
  const startUp = await node.ready();
  const writers = startWriters(t, place, [node.url]);
  const recovery: number[] = [];
  await writers.nextAck();
  const begun = performance.now();
  let kills = 1;
  for (; kills <= KILLS && performance.now() - begun < LONGEST_MS; kills++) {
    const starting = chance() < DURING_START && kills < KILLS;
    await sleep(starting ? chance() * 500 : 250 + chance() * 650);
    // A slow machine has done little by then.
    while (!starting && writers.acked.length < kills * ACKED) await writers.nextAck();
    await node.end('SIGKILL');
    const since = performance.now();
    node = startNode(t, place, port);
    if (starting) continue;
    await writers.nextAck();
    recovery.push(performance.now() - since);
  }
  await sleep(200);
  while (writers.acked.length < kills * ACKED) await writers.nextAck();
  const stopping = writers.stop();
  await node.end('SIGKILL');
  // Writers retry until stopped, and the server is gone.
  await stopping;
  await place.alone();

  const { acked, counts, unexpected } = writers;
  const faults = await findFaults(place, acked);
  t.log(
    `FT-01 ${engine}: ${kills} kills, ${acked.length} acknowledged, ${counts.unanswered} unanswered,`,
    `${faults.length} lost or half there; start-up ${Math.round(startUp)} ms; recovery ${spread(recovery)}`,
  );
  t.deepEqual(faults.slice(0, 10), []);
  t.deepEqual(unexpected.slice(0, 10), []);
  // Only meaningful on an idle machine: other load slows down every start.
  if (full) t.true(quantile(recovery, 0.5) <= Math.max(6000, startUp * 2), node.said());
});

test.serial(`the consistency check detects missing data (${engine})`, async (t) => {
  const place = await makePlace(t);
  const node = startNode(t, place, await freePort());
  await node.ready();
  const writers = startWriters(t, place, [node.url], 4);
  await writers.nextAck();
  await writers.stop();
  await node.end('SIGTERM');
  const [first] = writers.acked;
  t.deepEqual(await findFaults(place, writers.acked), []);
  const gone = { ticket_id: 999_999, ticket_number: 999_999, subject: 'Never written' };
  t.is((await findFaults(place, [...writers.acked, gone])).length, 1);
  await place.ask(`DELETE FROM activity_log WHERE entity_type = 'ticket' AND entity_id = '${first?.ticket_id}'`);
  t.deepEqual(await findFaults(place, writers.acked), [`ticket ${first?.ticket_id} has no activity line`]);
  await place.ask(`UPDATE event SET name = 'ticket.lost' WHERE name = 'ticket.created'`);
  await place.ask('DELETE FROM ticket_count_delta');
  t.true((await findFaults(place, writers.acked)).length > writers.acked.length);
});
