// Tests when the bench considers a program warm.
import test from 'ava';
import { isWarm } from '../../bench/rounds.ts';

const costs = (...app: number[]) => app.map((each) => ({ app: each }));

test('a program is warm once its requests stop getting cheaper', (t) => {
  t.true(isWarm(costs(1500, 1100, 1000, 1010, 1000)));
  t.false(isWarm(costs(1500, 1400, 1300, 1200, 1100)));
  t.false(isWarm([]));
});
