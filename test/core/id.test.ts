import test from 'ava';
import { newId } from '../../packages/kit/random.ts';

test('ids have 32 hex digits and increase, even within a millisecond', (t) => {
  const ids = Array.from({ length: 100_000 }, newId);
  t.true(ids.every((each) => /^[0-9a-f]{32}$/.test(each)));
  t.deepEqual(ids.toSorted(), ids);
  t.is(new Set(ids).size, ids.length);
});

test('ids increase even if the clock goes back', (t) => {
  const { now } = Date;
  const before = newId();
  Date.now = () => now() - 3_600_000;
  try {
    t.true(newId() > before);
  } finally {
    Date.now = now;
  }
});
