// FT-05: the data disk fills up and is freed again.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { findFaults } from './_consistency.ts';
import { fill, mountDisk } from './_disk.ts';
import { spread } from './_figures.ts';
import { freePort, startNode, statusOf, type Node } from './_node.ts';
import { amount, makePlace, server } from './_place.ts';
import { client } from './_send.ts';
import { startWriters, type Writers } from './_writers.ts';

// The test cannot fill the database server's disk.
const fileTest = server ? test.serial.skip : test.serial;
const reason = server ? ', skipped: SQLite only' : '';
const ROUNDS = amount(2, 5);
const DISK = '48m';
const PATIENCE_MS = 10_000;

fileTest(`a full disk refuses writes, loses none, and heals when there is room again (FT-05${reason})`, async (t) => {
  const disk = mountDisk(t, DISK);
  if (!disk) return t.pass('This user may not mount a small disk');
  const place = await makePlace(t, { dataDir: join(disk, 'data') });
  const node = startNode(t, place, await freePort());
  await node.ready();
  const writers = startWriters(t, place, [node.url], 8);
  const heals: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await writers.nextAck();
    await sleep(500);
    const filler = fill(disk);
    t.true(await becomes(503, `${node.url}/ready`), 'readiness stayed green');
    t.true(await refusedMore(writers), 'writes went on without room');
    t.is(await statusOf(`${node.url}/health`), 200);
    await readsGoOn(t, node, place.key);
    rmSync(filler);
    const since = performance.now();
    await writers.nextAck();
    heals.push(performance.now() - since);
    t.true(await becomes(200, `${node.url}/ready`), 'readiness stayed red');
  }
  await writers.stop();
  const { acked, counts, unexpected } = writers;
  const faults = await findFaults(place, acked);
  t.log(
    `FT-05: disk full ${ROUNDS} times, ${acked.length} acknowledged, ${counts.refused} refused, ${faults.length} lost or`,
    `half there; writes again after ${spread(heals)}`,
  );
  t.deepEqual(faults.slice(0, 10), []);
  t.deepEqual(unexpected.slice(0, 10), []);
  t.is(counts.unanswered, 0, node.said());
  t.is(await node.end('SIGTERM'), 0);
});

async function becomes(status: number, url: string): Promise<boolean> {
  const since = performance.now();
  while (performance.now() - since < PATIENCE_MS) {
    if ((await statusOf(url)) === status) return true;
    await sleep(50);
  }
  return false;
}

/** Returns whether writes are refused; waits for up to 16 refusals. */
async function refusedMore({ counts }: Writers): Promise<boolean> {
  const before = counts.refused;
  const since = performance.now();
  while (performance.now() - since < PATIENCE_MS && counts.refused < before + 16) await sleep(20);
  return counts.refused > before;
}

async function readsGoOn(t: ExecutionContext, node: Node, token: string): Promise<void> {
  const http = client();
  const { status } = await http.send(node.url, { method: 'GET', path: '/admin/api/v1/tickets.php?per_page=5', token });
  http.close();
  t.is(status, 200);
}
