import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { abreast } from '../../core/kit/abreast.ts';

interface Piece {
  readonly name: string;
  readonly ms: number;
  readonly keys?: readonly string[];
}

/** Returns the starts and ends of the pieces, processed two at a time. */
async function run(pieces: readonly Piece[]): Promise<string[]> {
  const told: string[] = [];
  const work = abreast({ most: 2, keysOf: ({ keys = [] }: Piece) => keys }, async ({ name, ms }) => {
    told.push(`${name} begins`);
    await sleep(ms);
    told.push(`${name} ends`);
  });
  for (const each of pieces) await work.next(each);
  await work.done();
  return told;
}

test('two items run concurrently, and a third once one finishes', async (t) => {
  const pieces = [
    { name: 'long', ms: 60 },
    { name: 'short', ms: 10 },
    { name: 'third', ms: 1 },
  ];
  const [one, two, three, four] = await run(pieces);
  t.deepEqual([one, two, three, four], ['long begins', 'short begins', 'short ends', 'third begins']);
});

test('an item waits for another that shares a key', async (t) => {
  const pieces = [
    { name: 'first', ms: 20, keys: ['a', 'b'] },
    { name: 'second', ms: 1, keys: ['b', 'c'] },
  ];
  t.deepEqual(await run(pieces), ['first begins', 'first ends', 'second begins', 'second ends']);
});

test('an error is rethrown, no further items start, and running ones are awaited', async (t) => {
  const ended: number[] = [];
  const work = abreast({ most: 2, keysOf: () => [] }, async (ms: number) => {
    await sleep(ms);
    ended.push(ms);
    if (ms === 1) throw new Error('The first fails');
  });
  await work.next(30);
  await work.next(1);
  await t.throwsAsync(work.next(2), { message: 'The first fails' });
  await t.throwsAsync(work.done(), { message: 'The first fails' });
  t.deepEqual(ended, [1, 30]);
});
