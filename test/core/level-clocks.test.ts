// A ticket's clocks, compared with an oracle that steps through every minute.
import assert from 'node:assert/strict';
import { yieldToOthers } from '@keelson/core/kit';
import test from 'ava';
import { replay, type Plan } from '../../modules/levels/clocks/replay.ts';
import { assertProperty, fc, full } from '../_random.ts';
import { expectedClocks, inOrder } from './_clock-oracle.ts';
import { localMinutes, MINUTE, spans, weeks } from './_minutes.ts';

const DAYS = 16;
const LENGTH = DAYS * 1440;
const tables = weeks.map(([zone, day]) => ({ zone, ...localMinutes(zone, day, DAYS) }));
const datesOf = tables.map(({ minutes }) => [...new Set(minutes.map(({ day }) => day))]);

// Half hours make it likely that a step coincides with the instant a clock is due.
const halfHours = (most: number) => fc.integer({ min: 1, max: most }).map((n) => n * 30);
const target = fc.option(fc.oneof(halfHours(40), fc.integer({ min: 1, max: 4000 })), { nil: null });
const plan = fc.record({
  week: fc.array(fc.oneof(fc.constant([[540, 1020] as const]), spans), { minLength: 7, maxLength: 7 }),
  // Days with hours of their own, most of them holidays, counted from the first.
  days: fc.array(fc.tuple(fc.nat({ max: DAYS }), fc.oneof(fc.constant([]), spans)), { maxLength: 4 }),
  minutes: fc.record({ response: target, next_response: target, resolution: target }),
  pauses: fc.record({ on_hold: fc.boolean(), customer: fc.boolean(), approval: fc.boolean() }),
  warnings: fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { maxLength: 3 }),
});
const state = fc.record({
  status: fc.constantFrom('open', 'in_progress', 'on_hold', 'closed'),
  pending: fc.boolean(),
  waiting: fc.boolean(),
  last_comment_by: fc.constantFrom('customer', 'technician', null),
  replied: fc.boolean(),
});
const history = fc.record({
  of: fc.nat({ max: tables.length - 1 }),
  plan,
  first: state.map((each) => ({ ...each, status: 'open' as const, replied: false })),
  later: fc.array(fc.tuple(fc.oneof(halfHours(LENGTH / 45), fc.nat({ max: (LENGTH * 2) / 3 })), state), {
    maxLength: 12,
  }),
  now: fc.nat({ max: LENGTH / 3 - 1 }),
  // Minutes at which outages begin, and their durations.
  outages: fc.array(fc.tuple(fc.nat({ max: LENGTH / 2 }), fc.option(halfHours(96), { nil: null })), { maxLength: 3 }),
});

type History = typeof history extends fc.Arbitrary<infer H> ? H : never;
async function compare({ of, plan: drawn, first, later, now: rest, outages }: History): Promise<void> {
  await yieldToOthers();
  const { zone: time_zone, start, minutes } = tables[of] as (typeof tables)[number];
  const at = (minute: number) => new Date(start + minute * MINUTE).toISOString();
  const steps = [[0, first] as const, ...later.toSorted(([a], [b]) => a - b)];
  const now = Math.max(rest, steps.at(-1)?.[0] ?? 0);
  const { week, days, ...others } = drawn;
  const ownHours = new Map(days.map(([day, its]) => [datesOf[of]?.[day] ?? '', its]));
  const its: Plan = {
    ...others,
    hours: { time_zone, week, days: ownHours },
    outages: outages.map(([from, length]) => ({ from: at(from), to: length === null ? null : at(from + length) })),
  };
  const found = replay(
    steps.map(([minute, each]) => ({ at: at(minute), ...each })),
    its,
    at(now),
  );
  const known = { minutes, start, steps, plan: its, outages, now };
  assert.deepEqual(inOrder(found, known), expectedClocks(known));
}

test('clocks equal a simulation of every minute', async (t) => {
  t.timeout(3_600_000);
  await assertProperty(t, fc.asyncProperty(history, compare), { numRuns: full ? 100_000 : 200 });
  t.pass();
});

const hours = { time_zone: 'UTC', week: Array.from({ length: 7 }, () => [[540, 1020] as const]), days: new Map() };
const office: Plan = {
  hours,
  minutes: { response: 60, next_response: null, resolution: null },
  outages: [],
  pauses: { on_hold: true, customer: true, approval: true },
  warnings: [],
};
const opened = { status: 'open', pending: false, waiting: true, last_comment_by: null, replied: false } as const;

/** Returns the response clock of a ticket opened on a day and answered at these times. */
function responseOf(openedAt: string, repliedAt: string) {
  const steps = [
    { ...opened, at: `2026-06-01T${openedAt}:00.000Z` },
    { ...opened, waiting: false, replied: true, at: `2026-06-01T${repliedAt}:00.000Z` },
  ];
  return replay(steps, office, '2026-06-01T23:00:00.000Z')[0];
}

test('a reply at the exact instant it is due is in time, and one after hours is not', (t) => {
  t.is(responseOf('10:00', '11:00')?.breached_at, null);
  t.is(responseOf('10:00', '11:01')?.breached_at, '2026-06-01T11:00:00.000Z');
  // No working time passes between the two, but the day has ended.
  t.is(responseOf('16:00', '17:00')?.breached_at, null);
  t.is(responseOf('16:00', '18:00')?.breached_at, '2026-06-01T17:00:00.000Z');
});
