// FT-24: nodes of a Galera cluster and processes are killed in turn under load.
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { chance, seed } from '../_random.ts';
import { findFaults } from './_consistency.ts';
import { hasGalera, startGalera } from './_galera.ts';
import { freePort, startNode } from './_node.ts';
import { amount, makePlace, server } from './_place.ts';
import { startWriters } from './_writers.ts';

const clusterTest = server && hasGalera ? test.serial : test.serial.skip;
const reason = server && hasGalera ? '' : ', skipped: needs TEST_DATABASE_URL and galera-4';
const KILLS = amount(3, 30);
const LONGEST_MS = amount(60_000, 600_000);
const LIMIT_MS = 3500;

clusterTest(
  `nodes of a cluster and processes are killed, and nothing is lost or doubled (FT-24${reason})`,
  async (t) => {
    t.timeout(900_000);
    t.log(`seed ${seed}`);
    const galera = await startGalera(t);
    const place = await makePlace(t, { hosts: galera.hosts });
    const ports = [await freePort(), await freePort()];
    const apps = ports.map((port) => startNode(t, place, port));
    for (const each of apps) await each.ready();
    const writers = startWriters(
      t,
      place,
      apps.map((each) => each.url),
      8,
    );
    await writers.nextAck();
    const begun = performance.now();
    let kills = 0;
    for (; kills < KILLS && performance.now() - begun < LONGEST_MS; kills++) {
      await sleep(300 + chance() * 500);
      const node = galera.nodes[kills % 3];
      await node?.kill();
      await writers.nextAck();
      await node?.restart();
      await apps[kills % 2]?.end('SIGKILL');
      apps[kills % 2] = startNode(t, place, ports[kills % 2] ?? 0);
      await apps[kills % 2]?.ready();
      await writers.nextAck();
    }
    const seconds = Math.round((performance.now() - begun) / 1000);
    await writers.stop();
    for (const each of apps) await each.end('SIGTERM');
    const { acked, counts, unexpected } = writers;
    const faults = await findFaults(place, acked);
    t.log(
      `FT-24: ${seconds} s, ${kills} kills of nodes and ${kills} of processes, ${acked.length} acknowledged,`,
      `${counts.unanswered} unanswered, ${counts.refused} refused, ${faults.length} lost, doubled or miscounted;`,
      `slowest answer ${Math.round(counts.slowestMs)} ms`,
    );
    t.deepEqual(faults.slice(0, 10), []);
    t.deepEqual(unexpected.slice(0, 10), []);
    t.true(counts.slowestMs < LIMIT_MS);
  },
);
