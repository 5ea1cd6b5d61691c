import test from 'ava';
import { batchesApart, eachApart } from '../../packages/kit/each-apart.ts';

test('a failing item does not stop the others and is named at the end', async (t) => {
  const done: number[] = [];
  const work = async (each: number) => {
    if (each === 2) throw new Error('no');
    done.push(each);
  };
  const error = await t.throwsAsync(
    eachApart([1, 2, 3], (each) => `item ${each}`, work),
    {
      instanceOf: AggregateError,
      message: 'item 2: no',
    },
  );
  t.is(error?.errors.length, 1);
  t.deepEqual(done, [1, 3]);
});

test('a failing item stops neither the others of its batch nor later batches', async (t) => {
  const due = new Set([1, 2, 3, 4, 5]);
  const work = async (items: readonly number[]) => {
    if (items.includes(2)) throw new Error('no');
    for (const each of items) due.delete(each);
  };
  const read = async (failed: readonly number[]) => [...due].filter((each) => !failed.includes(each)).slice(0, 2);
  await t.throwsAsync(batchesApart({ size: 2, read, nameOf: (each) => `item ${each}`, work }), {
    instanceOf: AggregateError,
    message: 'item 2: no',
  });
  t.deepEqual([...due], [2]);
});
