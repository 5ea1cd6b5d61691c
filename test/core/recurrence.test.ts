// Recurrence rules, compared with dates counted day by day.
import { readFileSync } from 'node:fs';
import { zoneOf } from '@keelson/core/kit';
import { translator } from '@keelson/words';
import test from 'ava';
import { datesOf } from '../../modules/planned/recurring/dates.ts';
import { hasDates } from '../../modules/planned/recurring/fields.ts';
import { readRule } from '../../modules/planned/recurring/rule.ts';
import { ruleInWords } from '../../modules/planned/recurring/words.ts';

const DAY = 86_400_000;
const names = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** A day in the day-by-day oracle. */
interface Counted {
  readonly ms: number;
  readonly date: number;
  /** Days from the end of the month; 1 is the last day. */
  readonly fromEnd: number;
  readonly month: number;
  /** Months since year 0. */
  readonly months: number;
  readonly year: number;
  readonly weekday: string;
  readonly weekdayNumber: number;
}

function counted(ms: number): Counted {
  const at = new Date(ms);
  const [year, month, date] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  const length = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const weekdayNumber = (at.getUTCDay() + 6) % 7;
  const weekday = names[weekdayNumber] ?? '';
  return { ms, date, fromEnd: length - date + 1, month, months: year * 12 + month, year, weekday, weekdayNumber };
}

type Matches = (day: Counted, first: Counted) => boolean;

const daily =
  (n: number): Matches =>
  (day, first) =>
    ((day.ms - first.ms) / DAY) % n === 0;
const weekly =
  (n: number, ...days: string[]): Matches =>
  (day, first) => {
    const monday = (of: Counted) => of.ms / DAY - of.weekdayNumber;
    return (
      ((monday(day) - monday(first)) / 7) % n === 0 && (days.length ? days : [first.weekday]).includes(day.weekday)
    );
  };
const monthly =
  (n: number, which: Matches): Matches =>
  (day, first) =>
    (day.months - first.months) % n === 0 && which(day, first);
const onDates =
  (...dates: number[]): Matches =>
  (day) =>
    dates.some((each) => (each > 0 ? day.date === each : day.fromEnd === -each));
const sameDate: Matches = (day, first) => day.date === first.date;
const nth =
  (n: number, weekday: string): Matches =>
  (day) =>
    day.weekday === weekday && Math.ceil((n > 0 ? day.date : day.fromEnd) / 7) === Math.abs(n);
const work = (day: Counted) => day.weekdayNumber < 5;
/** The nth day of the month among those in a set, counted one by one. */
const place =
  (n: number, allowed: (day: Counted) => boolean): Matches =>
  (day) => {
    if (!allowed(day)) return false;
    let position = 0;
    const steps = n > 0 ? day.date : day.fromEnd;
    for (let i = 0; i < steps; i++) if (allowed(counted(day.ms - Math.sign(n) * i * DAY))) position++;
    return position === Math.abs(n);
  };
const yearly =
  (n: number): Matches =>
  (day, first) =>
    (day.year - first.year) % n === 0 && day.month === first.month && day.date === first.date;

const workdays = 'MO,TU,WE,TH,FR';
const rules: readonly (readonly [string, Matches])[] = [
  ...[1, 2, 3, 5, 7, 10, 14, 30, 45, 90, 365].map((n) => [`FREQ=DAILY;INTERVAL=${n}`, daily(n)] as const),
  ...[1, 2, 3, 4, 6, 13].map((n) => [`FREQ=WEEKLY;INTERVAL=${n}`, weekly(n)] as const),
  ...[1, 2, 5].map((n) => [`FREQ=WEEKLY;INTERVAL=${n};BYDAY=MO,TH`, weekly(n, 'MO', 'TH')] as const),
  ...[1, 3].map((n) => [`FREQ=WEEKLY;INTERVAL=${n};BYDAY=SU`, weekly(n, 'SU')] as const),
  [`FREQ=WEEKLY;BYDAY=${workdays}`, weekly(1, 'MO', 'TU', 'WE', 'TH', 'FR')],
  [`FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU,MO`, weekly(2, 'SA', 'SU', 'MO')],
  ...[1, 2, 3, 6, 12].map((n) => [`FREQ=MONTHLY;INTERVAL=${n}`, monthly(n, sameDate)] as const),
  ...[1, 15, 28, 29, 30, 31, -1, -2, -5].map((n) => [`FREQ=MONTHLY;BYMONTHDAY=${n}`, monthly(1, onDates(n))] as const),
  ['FREQ=MONTHLY;BYMONTHDAY=1,15', monthly(1, onDates(1, 15))],
  ['FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=-1,10', monthly(3, onDates(-1, 10))],
  ['FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=31', monthly(2, onDates(31))],
  ...[1, 2, 3, 4, 5, -1, -2].flatMap((n) =>
    ['TU', 'FR'].map((day) => [`FREQ=MONTHLY;BYDAY=${n}${day}`, monthly(1, nth(n, day))] as const),
  ),
  ['FREQ=MONTHLY;INTERVAL=3;BYDAY=1MO', monthly(3, nth(1, 'MO'))],
  ['FREQ=MONTHLY;BYDAY=2TU,4TU', monthly(1, (day, first) => nth(2, 'TU')(day, first) || nth(4, 'TU')(day, first))],
  ['FREQ=MONTHLY;BYDAY=WE', monthly(1, (day) => day.weekday === 'WE')],
  ...[1, 2, -1, -2].map((n) => [`FREQ=MONTHLY;BYDAY=${workdays};BYSETPOS=${n}`, monthly(1, place(n, work))] as const),
  [`FREQ=MONTHLY;INTERVAL=3;BYDAY=${workdays};BYSETPOS=-1`, monthly(3, place(-1, work))],
  [
    'FREQ=MONTHLY;BYDAY=SA,SU;BYSETPOS=1',
    monthly(
      1,
      place(1, (day) => !work(day)),
    ),
  ],
  ...[1, 2, 4].map((n) => [`FREQ=YEARLY;INTERVAL=${n}`, yearly(n)] as const),
];

/** A zone, with its hours ahead of UTC in summer and in winter. */
interface Place {
  readonly name: string;
  readonly hours: readonly number[];
  readonly starts_on: string;
  readonly time: string;
}

const zones: readonly Place[] = [
  { name: 'Europe/Berlin', hours: [2, 1], starts_on: '2026-01-31', time: '02:30' },
  { name: 'America/New_York', hours: [-4, -5], starts_on: '2027-02-28', time: '02:15' },
  { name: 'Australia/Sydney', hours: [11, 10], starts_on: '2028-02-29', time: '09:00' },
];

/** The instant of a local time: the earlier of two, and an hour later if clocks skip the time. */
function instantOf(day: string, time: string, hours: readonly number[], shown: (ms: number) => string): string {
  for (const each of hours) {
    const ms = Date.parse(`${day}T${time}:00.000Z`) - each * 3_600_000;
    if (shown(ms) === `${day}T${time}`) return new Date(ms).toISOString();
  }
  const later = String(Number(time.slice(0, 2)) + 1).padStart(2, '0');
  return instantOf(day, `${later}${time.slice(2)}`, hours, shown);
}

const YEARS = 10;

for (const { name, hours, starts_on, time } of zones)
  test(`ten years of ${rules.length} rules in ${name} match a day-by-day count`, (t) => {
    t.timeout(240_000);
    t.true(rules.length >= 60);
    const format = new Intl.DateTimeFormat('en-CA', {
      timeZone: name,
      hourCycle: 'h23',
      dateStyle: 'short',
      timeStyle: 'short',
    });
    const shown = (ms: number) => {
      const part = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]));
      return `${part.get('year')}-${part.get('month')}-${part.get('day')}T${part.get('hour')}:${part.get('minute')}`;
    };
    const zone = zoneOf(name);
    const start = Date.parse(`${starts_on}T00:00:00.000Z`);
    const first = counted(start);
    const all = Array.from({ length: YEARS * 366 }, (_, index) => counted(start + index * DAY));
    const end = dayText(start + all.length * DAY);
    const instants = new Map<string, string>();
    for (const [rrule, matches] of rules) {
      const expected = all
        .filter((day) => matches(day, first))
        .map(({ ms }) => {
          const day = dayText(ms);
          const at = instants.get(day) ?? instantOf(day, time, hours, shown);
          instants.set(day, at);
          return at;
        });
      const found: string[] = [];
      for (const { day, at } of datesOf(
        { rrule, starts_on, time, on_closed_days: 'create' },
        { zone, isOpen: () => true },
      )) {
        if (day >= end) break;
        found.push(at);
      }
      t.true(expected.length > 1, rrule);
      t.deepEqual(found, expected, rrule);
    }
  });

const dayText = (ms: number) => new Date(ms).toISOString().slice(0, 10);

const plan = { starts_on: '2026-03-02', time: '09:00', on_closed_days: 'create' } as const;
const utc = zoneOf('UTC');
const weekend = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay() % 6 === 0;
const office = { zone: utc, isOpen: (day: string) => !weekend(day) && day !== '2026-03-09' };
const days = (of: Iterable<{ at: string }>) => [...of].map((each) => each.at.slice(0, 10));

test('rules end after a number of dates, or on a day', (t) => {
  t.deepEqual(days(datesOf({ ...plan, rrule: 'FREQ=WEEKLY;COUNT=3' }, office)), [
    '2026-03-02',
    '2026-03-09',
    '2026-03-16',
  ]);
  const until = { ...plan, rrule: 'FREQ=WEEKLY;UNTIL=20260316' };
  t.deepEqual(days(datesOf(until, office)), ['2026-03-02', '2026-03-09', '2026-03-16']);
  t.deepEqual(days(datesOf(until, office, '2026-03-09')), ['2026-03-16']);
  t.deepEqual(days(datesOf({ ...plan, rrule: 'FREQ=WEEKLY;COUNT=3' }, office, '2026-03-09')), ['2026-03-16']);
});

test('dates on closed days are skipped or moved to the next open day', (t) => {
  const rrule = 'FREQ=DAILY;COUNT=9';
  t.deepEqual(days(datesOf({ ...plan, rrule, on_closed_days: 'skip' }, office)), [
    '2026-03-02',
    '2026-03-03',
    '2026-03-04',
    '2026-03-05',
    '2026-03-06',
    '2026-03-10',
  ]);
  t.deepEqual(
    days(datesOf({ ...plan, rrule: 'FREQ=WEEKLY;BYDAY=MO,SA;COUNT=4', on_closed_days: 'move' }, office)),
    // Saturday the 7th and Monday the 9th, a holiday, both move to Tuesday the 10th.
    ['2026-03-02', '2026-03-10', '2026-03-10', '2026-03-16'],
  );
});

test('visits planned ahead are created at their local time, also before a clock change', (t) => {
  const visits = { ...plan, rrule: 'FREQ=DAILY;COUNT=1', visit_user_id: 1, visit_days_ahead: 14 };
  const berlin = { zone: zoneOf('Europe/Berlin'), isOpen: () => true };
  t.deepEqual(
    [...datesOf({ ...visits, starts_on: '2026-04-01' }, berlin)],
    [{ day: '2026-04-01', at: '2026-04-01T07:00:00.000Z', created_at: '2026-03-18T08:00:00.000Z' }],
  );
});

test('a calendar that is always closed yields no dates', (t) => {
  const closed = { zone: utc, isOpen: () => false };
  for (const on_closed_days of ['skip', 'move'] as const)
    t.deepEqual(days(datesOf({ ...plan, rrule: 'FREQ=DAILY', on_closed_days }, closed)), []);
});

test('dates end with the year 9999', (t) => {
  const plan = { rrule: 'FREQ=DAILY', starts_on: '9999-12-30', time: '20:00', on_closed_days: 'create' } as const;
  const dates = (zone: string) => [...datesOf(plan, { zone: zoneOf(zone), isOpen: () => true })].map(({ at }) => at);
  t.deepEqual(dates('UTC'), ['9999-12-30T20:00:00.000Z', '9999-12-31T20:00:00.000Z']);
  t.deepEqual(dates('America/New_York'), ['9999-12-31T01:00:00.000Z']);
});

test('a time that is not one fails instead of yielding dates forever', (t) => {
  const plan = { rrule: 'FREQ=DAILY', starts_on: '2026-03-01', time: '25:00', on_closed_days: 'create' } as const;
  t.throws(() => [...datesOf(plan, { zone: zoneOf('UTC'), isOpen: () => true })], { message: /has the time 25:00/ });
});

test('a rule without any date is detected', (t) => {
  t.false(hasDates('FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=30', '2026-02-01'));
  t.false(hasDates('FREQ=DAILY;UNTIL=20260101', '2026-02-01'));
  t.false(hasDates('FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=30;COUNT=3', '2026-02-01'));
  t.true(hasDates('FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=29', '2026-02-01'));
});

test('unsupported and inconsistent rules are rejected with a message', (t) => {
  const fault = (rrule: string) => readRule(rrule);
  t.is(fault('FREQ=HOURLY'), 'must have FREQ=DAILY, WEEKLY, MONTHLY, YEARLY');
  t.is(fault('FREQ=DAILY;INTERVAL=0'), 'must have an INTERVAL between 1 and 366');
  t.is(fault('FREQ=DAILY;BYHOUR=9'), 'has an unsupported part BYHOUR');
  t.is(fault('FREQ=WEEKLY;BYDAY=1MO'), 'can number weekdays with FREQ=MONTHLY only');
  t.is(fault('FREQ=MONTHLY;BYMONTHDAY=0'), 'has an invalid BYMONTHDAY');
  t.is(fault('FREQ=MONTHLY;BYMONTHDAY=32'), 'has an invalid BYMONTHDAY');
  t.is(fault('FREQ=DAILY;COUNT=501'), 'must have a COUNT between 1 and 500');
  t.is(fault('FREQ=DAILY;UNTIL=20260230'), 'must have a day as UNTIL: 20261231');
  t.is(fault('FREQ=DAILY;COUNT=3;UNTIL=20260301'), 'must not have both COUNT and UNTIL');
  t.is(fault('FREQ=DAILY\nDTSTART:20260101'), 'must have FREQ=DAILY, WEEKLY, MONTHLY, YEARLY');
  t.is(fault(''), 'has an invalid part ');
});

const german = JSON.parse(
  readFileSync(new URL('../../modules/planned/words/server/de.json', import.meta.url), 'utf8'),
) as Readonly<Partial<Record<string, string>>>;
const described = (rrule: string, language: 'en' | 'de' = 'en') =>
  ruleInWords(rrule, { language, t: translator(language, (key) => (language === 'de' ? german[key] : undefined)).t });

test('rules are described in words', (t) => {
  t.is(described('FREQ=DAILY'), 'Every day');
  t.is(described('FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,TH'), 'Every 2 weeks on Monday, Tuesday and Thursday');
  t.is(described(`FREQ=WEEKLY;BYDAY=${workdays};COUNT=10`), 'Every week on weekdays 10 times');
  t.is(described('FREQ=DAILY;COUNT=1'), 'Every day once');
  t.is(described('FREQ=MONTHLY;BYMONTHDAY=1,-1'), 'Every month on the 1st and the last day');
  t.is(described('FREQ=MONTHLY;BYMONTHDAY=22,-3'), 'Every month on the 22nd and the 3rd day from the end');
  t.is(described('FREQ=MONTHLY;BYDAY=-1FR;UNTIL=20261231'), 'Every month on the last Friday until 31 Dec 2026');
  t.is(described(`FREQ=MONTHLY;INTERVAL=3;BYDAY=${workdays};BYSETPOS=-1`), 'Every 3 months on the last weekday');
  t.is(described('FREQ=MONTHLY;BYDAY=SA,SU;BYSETPOS=1'), 'Every month on the first Saturday or Sunday');
  t.is(described('FREQ=MONTHLY;BYDAY=-2TU'), 'Every month on the second to last Tuesday');
  t.is(described('FREQ=YEARLY'), 'Every year');
  t.is(described('FREQ=HOURLY'), '', 'an unsupported rule');
});

test('rules are described in German', (t) => {
  t.is(described('FREQ=DAILY', 'de'), 'Jeden Tag');
  t.is(described('FREQ=WEEKLY;BYDAY=MO,TH', 'de'), 'Jede Woche am Montag und Donnerstag');
  t.is(
    described(`FREQ=WEEKLY;INTERVAL=2;BYDAY=${workdays};COUNT=10`, 'de'),
    'Alle 2 Wochen, montags bis freitags, 10-mal',
  );
  t.is(described('FREQ=MONTHLY;BYMONTHDAY=1,-1', 'de'), 'Jeden Monat am 1. und letzten Tag');
  t.is(described('FREQ=MONTHLY;BYDAY=2TU', 'de'), 'Jeden Monat am zweiten Dienstag');
  t.is(described('FREQ=MONTHLY;BYDAY=-2TU;UNTIL=20261231', 'de'), 'Jeden Monat am vorletzten Dienstag bis 31.12.2026');
  t.is(described(`FREQ=MONTHLY;BYDAY=${workdays};BYSETPOS=-1`, 'de'), 'Jeden Monat am letzten Werktag');
});
