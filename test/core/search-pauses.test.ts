import test from 'ava';
import { pauses } from '../../core/search/indexing/pauses.ts';
import type { Database } from '../../packages/database/db.ts';

const WORK_MS = 40;

/** A database whose feed is at the given position on each read. */
function feed(positions: readonly number[]): Database {
  let look = 0;
  const query = async () => [{ position: positions[Math.min(look++, positions.length - 1)] }];
  return { query } as unknown as Database;
}

/** Creates the pauses with a clock of their own; `rested` returns how long they have waited since the last call. */
function pausesOn(positions: readonly number[]) {
  const database = feed(positions);
  let now = 0;
  let waited = 0;
  const sleep = async (ms: number) => {
    now += ms;
    waited += ms;
  };
  const rested = () => {
    const ms = waited;
    waited = 0;
    return ms;
  };
  return { pause: pauses(() => database, { now: () => now, sleep }), work: () => void (now += WORK_MS), rested };
}

/** Returns the pause after a batch, following an earlier read. */
async function restAfterBatch(positions: readonly number[]): Promise<number> {
  const { pause, work, rested } = pausesOn(positions);
  pause.begin();
  await pause.wait();
  pause.begin();
  work();
  rested();
  await pause.wait();
  return rested();
}

test('the indexer does not pause for single edits', async (t) => {
  t.is(await restAfterBatch([0, 1]), 0);
});

test('it yields to bulk writes, also between their batches', async (t) => {
  t.true((await restAfterBatch([0, 2000, 2000, 4000, 4000])) >= WORK_MS * 15);
});

test('indexing waits one second after a bulk write starts, once', async (t) => {
  const { pause, work, rested } = pausesOn([0, 2000, 4000, 4001]);
  const rests: number[] = [];
  for (let look = 0; look < 4; look++) {
    t.true(await pause.giveWay());
    rests.push(rested());
    work();
  }
  t.deepEqual(rests, [0, 1000, 0, 0]);
});
