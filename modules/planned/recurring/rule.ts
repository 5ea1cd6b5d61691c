// Dates of a recurrence rule (RFC 5545). The rule only yields days: the local time of day is added in the time zone, so
// that a time skipped when clocks go forward moves to the end of the gap instead of being dropped.
import { dayOf, type Day } from '@keelson/core';
import { instant } from '@keelson/core/kit';
import { RRuleTemporal } from 'rrule-temporal';

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export type Weekday = (typeof weekdays)[number];

export const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
export type Frequency = (typeof frequencies)[number];

/** The supported parts of a rule. */
export interface Rule {
  readonly freq: Frequency;
  readonly interval: number;
  /** Weekdays, each with its ordinal within the month or 0: the last Friday is `{ day: 'FR', nth: -1 }`. */
  readonly byDay: readonly { readonly day: Weekday; readonly nth: number }[];
  readonly byMonthDay: readonly number[];
  /** BYSETPOS: -1 with Monday to Friday is the last weekday of the month. */
  readonly bySetPos: number | undefined;
  readonly count: number | undefined;
  readonly until: Day | undefined;
}

/** The largest interval per frequency: one year, or ten years. */
const MOST: Readonly<Record<Frequency, number>> = { DAILY: 366, WEEKLY: 104, MONTHLY: 120, YEARLY: 10 };
/** Maximum dates of a rule with COUNT, which must be expanded from the start. */
const MOST_DATES = 500;
/** Maximum periods to search for the next date, such as months without a 31st. */
const MOST_PERIODS = 2000;

const BY_DAY = /^(-?[1-5])?(MO|TU|WE|TH|FR|SA|SU)$/;
const DATE = /^(\d{4})(\d\d)(\d\d)$/;

/** Parses a rule. Returns an error message if it is invalid or has an unsupported part. */
export function readRule(text: string): Rule | string {
  const parts = new Map<string, string>();
  for (const part of text.split(';')) {
    const [name = '', value = '', ...more] = part.split('=');
    if (value === '' || more.length > 0) return `has an invalid part ${part.slice(0, 40)}`;
    if (parts.has(name)) return `has ${name} twice`;
    parts.set(name, value);
  }
  const unknown = [...parts.keys()].find((each) => !known.includes(each));
  if (unknown !== undefined) return `has an unsupported part ${unknown.slice(0, 40)}`;
  const freq = frequencies.find((each) => each === parts.get('FREQ'));
  if (!freq) return `must have FREQ=${frequencies.join(', ')}`;
  const interval = whole(parts.get('INTERVAL') ?? '1', 1, MOST[freq]);
  if (interval === undefined) return `must have an INTERVAL between 1 and ${MOST[freq]}`;
  const byDay = parts.get('BYDAY')?.split(',').map(readWeekday) ?? [];
  if (byDay.includes(undefined)) return 'has an invalid BYDAY';
  const numbered = byDay.some((each) => each?.nth !== 0);
  if (numbered && freq !== 'MONTHLY') return 'can number weekdays with FREQ=MONTHLY only';
  const byMonthDay =
    parts
      .get('BYMONTHDAY')
      ?.split(',')
      .map((each) => whole(each, -31, 31) || undefined) ?? [];
  if (byMonthDay.includes(undefined)) return 'has an invalid BYMONTHDAY';
  if (byMonthDay.length > 0 && freq !== 'MONTHLY') return 'can have BYMONTHDAY with FREQ=MONTHLY only';
  if (byDay.length > 0 && byMonthDay.length > 0) return 'must not have both BYDAY and BYMONTHDAY';
  if (byDay.length > 0 && freq === 'YEARLY') return 'cannot have BYDAY with FREQ=YEARLY';
  const setPos = parts.get('BYSETPOS');
  const bySetPos = setPos === undefined ? undefined : whole(setPos, -5, 5) || undefined;
  if (setPos !== undefined && (bySetPos === undefined || freq !== 'MONTHLY' || byDay.length === 0 || numbered))
    return 'can have BYSETPOS from -5 to 5 with FREQ=MONTHLY and BYDAY only';
  const times = parts.get('COUNT');
  const count = times === undefined ? undefined : whole(times, 1, MOST_DATES);
  if (times !== undefined && count === undefined) return `must have a COUNT between 1 and ${MOST_DATES}`;
  const last = parts.get('UNTIL');
  const until = last === undefined ? undefined : last.replace(DATE, '$1-$2-$3');
  if (until !== undefined && (!DATE.test(last ?? '') || !isDay(until))) return 'must have a day as UNTIL: 20261231';
  if (count !== undefined && until !== undefined) return 'must not have both COUNT and UNTIL';
  return {
    ...{ freq, interval, bySetPos, count, until },
    byDay: byDay.filter((each) => each !== undefined),
    byMonthDay: byMonthDay.filter((each) => each !== undefined),
  };
}

const known: readonly string[] = ['FREQ', 'INTERVAL', 'BYDAY', 'BYMONTHDAY', 'BYSETPOS', 'COUNT', 'UNTIL'];

function readWeekday(text: string): Rule['byDay'][number] | undefined {
  const [, nth = '0', name] = BY_DAY.exec(text) ?? [];
  const day = weekdays.find((each) => each === name);
  return day && { day, nth: Number(nth) };
}

function whole(text: string, min: number, max: number): number | undefined {
  const number = /^-?\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  return number >= min && number <= max ? number : undefined;
}

function isDay(text: string): boolean {
  const ms = Date.parse(`${text}T00:00:00.000Z`);
  return !Number.isNaN(ms) && dayOf(instant(ms)) === text;
}

/**
 * Yields the days of a rule after a day, or all, in order.
 * @throws Error if there are no more, as for every February 30th
 */
export function* daysOf(rrule: string, starts_on: Day, after?: Day): Iterable<Day> {
  const rule = new RRuleTemporal({
    rruleString: `DTSTART;TZID=UTC:${starts_on.replaceAll('-', '')}T000000\nRRULE:${rrule}`,
    maxIterations: MOST_PERIODS,
  });
  if (rrule.includes('COUNT=')) {
    // COUNT is counted from the first date, so expand the rule once.
    const all = rule.all().map((each) => each.toPlainDate().toString());
    yield* after === undefined ? all : all.filter((each) => each > after);
    return;
  }
  const isFirst = after === undefined || after < starts_on;
  let next = rule.next(midnight(isFirst ? starts_on : after), isFirst);
  while (next) {
    yield next.toPlainDate().toString();
    next = rule.next(next);
  }
}

const midnight = (day: Day) => ({ timeZoneId: 'UTC', toString: () => `${day}T00:00:00+00:00[UTC]` });
