import { setImmediate as nextTurn } from 'node:timers/promises';
import test from 'ava';
import { abreast } from '../../packages/kit/abreast.ts';

interface Piece {
  readonly name: string;
  readonly turns: number;
  readonly keys?: readonly string[];
}

/** Works for some turns of the event loop, whose order is certain, unlike that of timers. */
async function workFor(turns: number): Promise<void> {
  for (let i = 0; i < turns; i++) await nextTurn();
}

/** Returns the starts and ends of the pieces, processed two at a time. */
async function run(pieces: readonly Piece[]): Promise<string[]> {
  const told: string[] = [];
  const work = abreast({ most: 2, keysOf: ({ keys = [] }: Piece) => keys }, async ({ name, turns }) => {
    told.push(`${name} begins`);
    await workFor(turns);
    told.push(`${name} ends`);
  });
  for (const each of pieces) await work.next(each);
  await work.done();
  return told;
}

test('two items run concurrently, and a third once one finishes', async (t) => {
  const pieces = [
    { name: 'long', turns: 60 },
    { name: 'short', turns: 10 },
    { name: 'third', turns: 1 },
  ];
  const [one, two, three, four] = await run(pieces);
  t.deepEqual([one, two, three, four], ['long begins', 'short begins', 'short ends', 'third begins']);
});

test('an item waits for another that shares a key', async (t) => {
  const pieces = [
    { name: 'first', turns: 20, keys: ['a', 'b'] },
    { name: 'second', turns: 1, keys: ['b', 'c'] },
  ];
  t.deepEqual(await run(pieces), ['first begins', 'first ends', 'second begins', 'second ends']);
});

test('an error is rethrown, no further items start, and running ones are awaited', async (t) => {
  const ended: number[] = [];
  const work = abreast({ most: 2, keysOf: () => [] }, async (turns: number) => {
    await workFor(turns);
    ended.push(turns);
    if (turns === 1) throw new Error('The first fails');
  });
  await work.next(30);
  await work.next(1);
  await t.throwsAsync(work.next(2), { message: 'The first fails' });
  await t.throwsAsync(work.done(), { message: 'The first fails' });
  t.deepEqual(ended, [1, 30]);
});
