// Working time, compared with an oracle that asks for the local time of every minute.
import test from 'ava';
import {
  afterWorkingTime,
  aroundTheClock,
  workingTime,
  type Span,
  type WorkingHours,
} from '../../modules/levels/working-time.ts';
import { fc, full, properties } from '../_random.ts';

const property = properties(test);
const MINUTE = 60_000;
const DAYS = 24;

/** Weeks in which the zones' clocks do something, and one in which they do not. */
const weeks: readonly (readonly [zone: string, day: string])[] = [
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
  // Half an hour.
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['America/St_Johns', '2026-11-01'],
  ['Africa/Casablanca', '2026-02-15'],
  ['Asia/Kathmandu', '2026-06-01'],
  // There was no 30 December 2011.
  ['Pacific/Apia', '2011-12-30'],
  ['UTC', '2026-02-28'],
];

interface Minute {
  readonly day: string;
  readonly weekday: number;
  readonly minute: number;
}

/** The local time of each minute around a day. */
function localMinutes(zone: string, around: string): { readonly start: number; readonly minutes: readonly Minute[] } {
  const form = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  const start = Date.parse(`${around}T00:00:00Z`) - (DAYS / 2) * 1440 * MINUTE;
  const minutes = Array.from({ length: DAYS * 1440 }, (_, i) => {
    const [day = '', time = ''] = form.format(start + i * MINUTE).split(' ');
    const [hour = 0, minute = 0] = time.split(':').map(Number);
    return { day, weekday: (new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7, minute: hour * 60 + minute };
  });
  return { start, minutes };
}

const tables = weeks.map(([zone, day]) => ({ zone, ...localMinutes(zone, day) }));

function isOpen({ week, days }: WorkingHours, { day, weekday, minute }: Minute): boolean {
  const spans = days.get(day) ?? week[weekday] ?? [];
  return spans.some(([from, to]) => from <= minute && minute < to);
}

const spans = fc
  .uniqueArray(
    fc.oneof(
      fc.integer({ min: 0, max: 96 }).map((n) => n * 15),
      fc.integer({ min: 0, max: 1440 }),
    ),
    {
      maxLength: 6,
    },
  )
  .map((cuts): Span[] => {
    const sorted = cuts.toSorted((a, b) => a - b);
    return Array.from({ length: Math.floor(sorted.length / 2) }, (_, i) => [
      sorted[2 * i] ?? 0,
      sorted[2 * i + 1] ?? 0,
    ]);
  });

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
    length: fc.nat({ max: minutes.length - 1 }),
    seconds: fc.constantFrom(0, 0, 17_500),
  });
});

property(
  'working time is what a count of minutes finds',
  [history],
  (t, { of, hours, from, length, seconds }) => {
    const { start, minutes } = tables[of] as (typeof tables)[number];
    const to = Math.min(from + length, minutes.length - 1);
    const at = (i: number) => new Date(start + i * MINUTE).toISOString();
    let open = 0;
    let last = -1;
    for (let i = from; i < to; i++) {
      if (!isOpen(hours, minutes[i] as Minute)) continue;
      open++;
      last = i;
    }
    t.is(workingTime(hours, at(from), at(to)), open * MINUTE);
    // The instant that many minutes end is the end of the last one counted.
    const found = afterWorkingTime(hours, at(from), open * MINUTE);
    t.is(found, open === 0 ? at(from) : at(last + 1));
    if (open === 0) return;
    // Less than a whole minute is counted too.
    t.is(
      afterWorkingTime(hours, at(from), open * MINUTE - seconds),
      new Date(Date.parse(at(last + 1)) - seconds).toISOString(),
    );
    t.is(
      workingTime(hours, at(from), new Date(Date.parse(at(last + 1)) - seconds).toISOString()),
      open * MINUTE - seconds,
    );
  },
  { numRuns: full ? 100_000 : 300 },
);

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
  // The end of the day is the end of the day, not the next morning.
  t.is(afterWorkingTime(office, '2026-03-06T15:00:00.000Z', 60 * MINUTE), '2026-03-06T16:00:00.000Z');
  // A lunch break does not count.
  t.is(workingTime(office, '2026-03-06T08:00:00.000Z', '2026-03-06T16:00:00.000Z'), 7 * 60 * MINUTE);
});

test('holidays and short days replace a weekday', (t) => {
  t.is(workingTime(office, '2026-12-24T00:00:00.000Z', '2026-12-26T00:00:00.000Z'), 180 * MINUTE);
  t.is(afterWorkingTime(office, '2026-12-24T10:30:00.000Z', 60 * MINUTE), '2026-12-28T08:30:00.000Z');
});

test('a day on which clocks change has its own length', (t) => {
  const clock: WorkingHours = {
    ...aroundTheClock,
    time_zone: 'Europe/Berlin',
    week: [[], [], [], [], [], [], [[0, 1440]]],
  };
  t.is(workingTime(clock, '2026-03-28T00:00:00.000Z', '2026-03-31T00:00:00.000Z'), 23 * 60 * MINUTE);
  t.is(workingTime(clock, '2026-10-24T00:00:00.000Z', '2026-10-27T00:00:00.000Z'), 25 * 60 * MINUTE);
});

test('around the clock is time itself, and a calendar without hours never ends', (t) => {
  t.is(workingTime(aroundTheClock, '2026-01-01T00:00:00.000Z', '2026-03-01T00:00:00.500Z'), 59 * 1440 * MINUTE + 500);
  t.is(afterWorkingTime({ ...aroundTheClock, week: [] }, '2026-01-01T00:00:00.000Z', 1), undefined);
  t.is(workingTime(office, '2026-03-06T16:00:00.000Z', '2026-03-06T15:00:00.000Z'), 0);
});
