import test from 'ava';
import type { Claimed } from '../../packages/events/delivery/delivery.ts';
import { createLanes } from '../../packages/events/delivery/lanes.ts';

const claimed = (subscriber: string, n: number): Claimed[] =>
  Array.from({ length: n }, (_, i) => ({
    delivery_id: i,
    subscriber,
    attempts: 1,
    fence: 1,
    occurrence: { event_id: String(i), name: 'x', at: '2026-03-02T09:00:00.000Z', data: {}, changed: [], cause: null },
  }));

test('lanes take turns, and three hanging at once leave a slot for a fourth', (t) => {
  const lanes = createLanes({ quick: 6, slow: 2, perLane: 4 });
  for (const name of ['a', 'b', 'c']) lanes.add(name, claimed(name, 50));
  const started = [];
  for (let next = lanes.next(); next; next = lanes.next()) started.push(next.lane.name);
  t.is(started.slice(0, 3).join(''), 'abc');
  t.true(started.length < 6);
  lanes.add('d', claimed('d', 1));
  t.is(lanes.next()?.lane.name, 'd');
});

test('a lane that missed a deadline continues in its own slot, one delivery at a time', (t) => {
  const lanes = createLanes({ quick: 6, slow: 2, perLane: 4 });
  lanes.add('a', claimed('a', 50));
  const first = lanes.next();
  if (!first) return t.fail();
  lanes.leave(first.lane, false);
  t.truthy(lanes.next());
  t.is(lanes.next(), undefined);
});

test('deliveries waiting too long behind a hanging one are released and claimed again later', (t) => {
  const lanes = createLanes({ quick: 6, slow: 2, perLane: 1 });
  lanes.add('a', claimed('a', 10));
  const first = lanes.next();
  if (!first) return t.fail();
  t.is(lanes.takeStale(60).length, 0);
  t.is(lanes.takeStale(0).length, 9);
  t.is(lanes.room('a'), 0);
  lanes.leave(first.lane, true);
  t.is(lanes.room('a'), 500);
  t.false(lanes.busy());
});
