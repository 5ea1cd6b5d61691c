import test from 'ava';
import { eachApart } from '../../core/kit/each-apart.ts';

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
