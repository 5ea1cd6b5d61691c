import test from 'ava';
import { memoize } from '../../packages/kit/memoize.ts';

test('a derived value is computed once per object, even if undefined', (t) => {
  const made: (readonly number[])[] = [];
  const largest = memoize((numbers: readonly number[]) => {
    made.push(numbers);
    return numbers.toSorted((a, b) => b - a)[0];
  });
  const [few, none, same] = [[1, 3, 2], [], [1, 3, 2]];
  t.deepEqual(
    [largest(few), largest(few), largest(none), largest(none), largest(same)],
    [3, 3, undefined, undefined, 3],
  );
  t.deepEqual(made, [few, none, same]);
});
