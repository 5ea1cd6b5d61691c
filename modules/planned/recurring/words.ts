// Describes recurrence rules: `Every 2 weeks on Monday and Thursday`.
import { dayInWords } from '@keelson/core/kit';
import { readRule, type Frequency, type Rule, type Weekday } from './rule.ts';

const names: Readonly<Record<Weekday, string>> = {
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
  SU: 'Sunday',
};
const units: Readonly<Record<Frequency, string>> = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' };
const ordinals: Readonly<Partial<Record<number, string>>> = {
  [-1]: 'last',
  1: 'first',
  2: 'second',
  3: 'third',
  4: 'fourth',
  5: 'fifth',
};

/** Describes a valid rule; returns an empty string for an invalid one. */
export function ruleInWords(rrule: string): string {
  const rule = readRule(rrule);
  return typeof rule === 'string' ? '' : [pace(rule), days(rule), end(rule)].filter(Boolean).join(' ');
}

function pace({ freq, interval }: Rule): string {
  return interval === 1 ? `Every ${units[freq]}` : `Every ${interval} ${units[freq]}s`;
}

function days({ byDay, byMonthDay, bySetPos }: Rule): string {
  if (byMonthDay.length > 0) return `on ${joined(byMonthDay.map(monthDay))}`;
  if (byDay.length === 0) return '';
  if (bySetPos !== undefined) return `on the ${placeInWords(bySetPos)} ${setInWords(byDay.map(({ day }) => day))}`;
  if (isWeekdays(byDay.map(({ day }) => day)) && byDay.every(({ nth }) => nth === 0)) return 'on weekdays';
  return `on ${joined(byDay.map(({ day, nth }) => (nth === 0 ? names[day] : `the ${placeInWords(nth)} ${names[day]}`)))}`;
}

const monthDay = (day: number): string =>
  day === -1 ? 'the last day' : day < 0 ? `the ${ordinal(-day)} day from the end` : `the ${ordinal(day)}`;

const placeInWords = (nth: number): string => ordinals[nth] ?? `${ordinals[-nth] ?? ''} to last`;

const setInWords = (set: readonly Weekday[]): string =>
  isWeekdays(set)
    ? 'weekday'
    : set.length === 7
      ? 'day'
      : joined(
          set.map((each) => names[each]),
          'or',
        );

const isWeekdays = (set: readonly Weekday[]): boolean =>
  new Set(set).size === 5 && !set.includes('SA') && !set.includes('SU');

function end({ count, until }: Rule): string {
  if (count !== undefined) return count === 1 ? 'once' : `${count} times`;
  return until === undefined ? '' : `until ${dayInWords(until)}`;
}

function joined(parts: readonly string[], word = 'and'): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1)}`;
}

function ordinal(of: number): string {
  const ending = of % 100 >= 11 && of % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][of % 10] ?? 'th');
  return `${of}${ending}`;
}
