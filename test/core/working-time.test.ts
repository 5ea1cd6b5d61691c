// Working time, compared with an oracle that checks the local time of every minute.
import { yieldToOthers } from '@keelson/core/kit';
import test from 'ava';
import {
  afterWorkingTime,
  aroundTheClock,
  workingTime,
  type Span,
  type WorkingHours,
} from '../../modules/levels/working-time.ts';
import { assertProperty, fc, full } from '../_random.ts';
import { isWithin, localMinutes, MINUTE, spans, spansOf, weeks, type Minute } from './_minutes.ts';

const DAYS = 24;

const tables = weeks.map(([zone, day]) => ({ zone, ...localMinutes(zone, day, DAYS) }));

const history = fc.nat({ max: tables.length - 1 }).chain((of) => {
  const { zone, minutes } = tables[of] as (typeof tables)[number];
  const dates = [...new Set(minutes.map((each) => each.day))];
  return fc.record({
    of: fc.constant(of),
    hours: fc.record({
      time_zone: fc.constant(zone),
      week: fc.array(spans, { minLength: 7, maxLength: 7 }),
      days: fc
        .array(fc.tuple(fc.constantFrom(...dates), spans), { maxLength: 4 })
        .map((each) => new Map<string, Span[]>(each)),
    }),
    from: fc.nat({ max: minutes.length - 1 }),
    length: fc.oneof(fc.nat({ max: 4320 }), fc.nat({ max: minutes.length - 1 })),
    seconds: fc.constantFrom(0, 0, 17_500),
  });
});

/** Compares both functions with a count of open minutes, yielding to AVA in between. */
async function agrees({
  of,
  hours,
  from,
  length,
  seconds,
}: typeof history extends fc.Arbitrary<infer H> ? H : never): Promise<boolean> {
  await yieldToOthers();
  const { start, minutes } = tables[of] as (typeof tables)[number];
  const to = Math.min(from + length, minutes.length - 1);
  const at = (i: number) => new Date(start + i * MINUTE).toISOString();
  let open = 0;
  let last = -1;
  let today = '';
  let its: readonly Span[] = [];
  for (let i = from; i < to; i++) {
    const each = minutes[i] as Minute;
    if (each.day !== today) {
      today = each.day;
      its = spansOf(hours, each);
    }
    if (!isWithin(its, each.minute)) continue;
    open++;
    last = i;
  }
  if (workingTime(hours, at(from), at(to)) !== open * MINUTE) return false;
  // A number of minutes ends at the end of the last minute counted.
  if (afterWorkingTime(hours, at(from), open * MINUTE) !== (open === 0 ? at(from) : at(last + 1))) return false;
  if (open === 0) return true;
  // Parts of a minute count too.
  const earlier = new Date(Date.parse(at(last + 1)) - seconds).toISOString();
  const ms = open * MINUTE - seconds;
  return afterWorkingTime(hours, at(from), ms) === earlier && workingTime(hours, at(from), earlier) === ms;
}

test('working time equals a count of minutes', async (t) => {
  t.timeout(1_800_000);
  await assertProperty(t, fc.asyncProperty(history, agrees), { numRuns: full ? 100_000 : 400 });
  t.pass();
});

const office: WorkingHours = {
  time_zone: 'Europe/Berlin',
  week: [
    ...Array.from({ length: 5 }, (): Span[] => [
      [540, 720],
      [780, 1020],
    ]),
    [],
    [],
  ],
  days: new Map([
    ['2026-12-24', [[540, 720]]],
    ['2026-12-25', []],
  ]),
};

test('a target is due within working hours', (t) => {
  // Friday 16:00 in Berlin and two hours: Monday 10:00.
  t.is(afterWorkingTime(office, '2026-03-06T15:00:00.000Z', 120 * MINUTE), '2026-03-09T09:00:00.000Z');
  // The target falls at the end of the day, not on the next morning.
  t.is(afterWorkingTime(office, '2026-03-06T15:00:00.000Z', 60 * MINUTE), '2026-03-06T16:00:00.000Z');
  // A lunch break does not count.
  t.is(workingTime(office, '2026-03-06T08:00:00.000Z', '2026-03-06T16:00:00.000Z'), 7 * 60 * MINUTE);
});

test('holidays and short days replace a weekday', (t) => {
  t.is(workingTime(office, '2026-12-24T00:00:00.000Z', '2026-12-26T00:00:00.000Z'), 180 * MINUTE);
  t.is(afterWorkingTime(office, '2026-12-24T10:30:00.000Z', 60 * MINUTE), '2026-12-28T08:30:00.000Z');
});

test('a day with a clock change has its own length', (t) => {
  const clock: WorkingHours = {
    ...aroundTheClock,
    time_zone: 'Europe/Berlin',
    week: [[], [], [], [], [], [], [[0, 1440]]],
  };
  t.is(workingTime(clock, '2026-03-28T00:00:00.000Z', '2026-03-31T00:00:00.000Z'), 23 * 60 * MINUTE);
  t.is(workingTime(clock, '2026-10-24T00:00:00.000Z', '2026-10-27T00:00:00.000Z'), 25 * 60 * MINUTE);
});

test('around the clock equals elapsed time, and a calendar without hours never ends', (t) => {
  t.is(workingTime(aroundTheClock, '2026-01-01T00:00:00.000Z', '2026-03-01T00:00:00.500Z'), 59 * 1440 * MINUTE + 500);
  t.is(afterWorkingTime({ ...aroundTheClock, week: [] }, '2026-01-01T00:00:00.000Z', 1), undefined);
  t.is(workingTime(office, '2026-03-06T16:00:00.000Z', '2026-03-06T15:00:00.000Z'), 0);
});
