// The year of a calendar's page: each day once, in its week, and what it is.
import test from 'ava';
import { monthsOf, stateOf } from '../modules/levels/console/year.ts';

test('a year has each of its days once, in weeks from Monday', (t) => {
  for (const [year, days] of [
    [2024, 366],
    [2026, 365],
    [2100, 365],
  ] as const) {
    const weeks = monthsOf(year).flatMap((each) => each.weeks);
    const all = weeks.flat().filter(Boolean);
    t.deepEqual([all.length, new Set(all).size], [days, days]);
    t.deepEqual([all[0], all.at(-1)], [`${year}-01-01`, `${year}-12-31`]);
    for (const week of weeks)
      for (const [i, day] of week.entries()) if (day) t.is((new Date(day).getUTCDay() + 6) % 7, i, day);
  }
});

test('a day is open or closed by its weekday, unless it has hours of its own', (t) => {
  const open = new Set(['monday', 'friday']);
  const holidays = new Map([
    ['2026-12-25', { hours: [] }],
    ['2026-12-26', { hours: [{ from: '10:00', to: '14:00' }] }],
  ]);
  const of = (day: string) => stateOf(day, open, holidays);
  t.deepEqual(['2026-11-30', '2026-12-01', '2026-12-25', '2026-12-26'].map(of), [
    'open',
    'closed',
    'holiday',
    'special',
  ]);
});
