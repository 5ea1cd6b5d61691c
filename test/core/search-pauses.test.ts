import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { Database } from '../../core/database/db.ts';
import { pauses } from '../../core/search/pauses.ts';

const WORK_MS = 40;

/** A database whose feed is at the given position on each read. */
function feed(positions: readonly number[]): Database {
  let look = 0;
  const query = async () => [{ position: positions[Math.min(look++, positions.length - 1)] }];
  return { query } as unknown as Database;
}

/** Returns the pause after a batch, following an earlier read. */
async function restAfterBatch(positions: readonly number[]): Promise<number> {
  const database = feed(positions);
  const pause = pauses(() => database);
  pause.begin();
  await pause.wait();
  pause.begin();
  await sleep(WORK_MS);
  const since = performance.now();
  // The pause alone does not keep the process alive.
  const alive = setInterval(() => {}, 1000);
  await pause.wait();
  clearInterval(alive);
  return performance.now() - since;
}

test('the indexer does not pause for single edits', async (t) => {
  t.true((await restAfterBatch([0, 1])) < WORK_MS * 5);
});

test('it yields to bulk writes, also between their batches', async (t) => {
  t.true((await restAfterBatch([0, 2000, 2000, 4000, 4000])) >= WORK_MS * 15);
});

test('indexing waits one second after a bulk write starts, once', async (t) => {
  const database = feed([0, 2000, 4000, 4001]);
  const pause = pauses(() => database);
  // The pause alone does not keep the process alive.
  const alive = setInterval(() => {}, 1000);
  const rests: number[] = [];
  for (let look = 0; look < 4; look++) {
    const since = performance.now();
    t.true(await pause.giveWay());
    rests.push(performance.now() - since);
  }
  clearInterval(alive);
  t.deepEqual(
    rests.map((each) => each > 900),
    [false, true, false, false],
  );
});
