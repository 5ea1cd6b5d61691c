// Computes the next time of a cron line in a time zone, for schedules that people define; the product's own jobs run in
// UTC.
import { parse } from 'node-cron';
import { dayIn, readMoment, type Zone } from '../kit/moment.ts';
import { plus, type Timestamp } from '../kit/time.ts';
import { invalidCron } from './scheduler.ts';

/** Every date occurs within this many days, including 29 February. */
const DAYS = 8 * 366;

interface Times {
  readonly minute: readonly number[];
  readonly hour: readonly number[];
  readonly dayOfMonth: readonly number[];
  readonly month: readonly number[];
  readonly dayOfWeek: readonly number[];
}

/** Returns the fault of a five-field cron line without `L`, `W` and `#`, as a phrase; undefined when it is valid. */
export function cronFault(line: string): string | undefined {
  if (line.trim().split(/\s+/).length !== 5 || invalidCron(line) !== undefined)
    return 'must be a cron line of five fields: minute hour day month weekday';
  return timesOf(line) ? undefined : 'must not use L, W or #';
}

/**
 * Returns the first time of a valid cron line after a moment; undefined if there is none (31 February). Times that fall
 * into a clock change's gap move by the gap.
 */
export function nextTime(line: string, zone: Zone, after: Timestamp): Timestamp | undefined {
  const times = timesOf(line);
  if (!times) return undefined;
  const first = Date.parse(`${dayIn(zone, after)}T00:00:00.000Z`);
  for (let i = 0; i < DAYS; i++) {
    const date = new Date(first + i * 86_400_000);
    if (!times.month.includes(date.getUTCMonth() + 1) || !times.dayOfMonth.includes(date.getUTCDate())) continue;
    if (!times.dayOfWeek.includes(date.getUTCDay())) continue;
    const day = date.toISOString().slice(0, 10);
    for (const hour of times.hour) {
      for (const minute of times.minute) {
        const at = readMoment(`${day}T${two(hour)}:${two(minute)}`, zone);
        if (at !== undefined && at > after) return at;
      }
    }
  }
  return undefined;
}

/** Whether two of its next 26 times are less than an hour apart. */
export function isTooOften(line: string, zone: Zone, now: Timestamp): boolean {
  let last = now;
  let before: Timestamp | undefined;
  for (let i = 0; i < 26; i++) {
    const next = nextTime(line, zone, last);
    if (next === undefined) return false;
    if (before !== undefined && next < plus(before, { hours: 1 })) return true;
    before = last = next;
  }
  return false;
}

const two = (value: number): string => String(value).padStart(2, '0');

function timesOf(line: string): Times | undefined {
  const { minute, hour, dayOfMonth, month, dayOfWeek } = parse(line);
  const isPlain = (values: readonly (number | string)[]): values is number[] =>
    values.every((each) => typeof each === 'number');
  if (!isPlain(dayOfMonth) || !isPlain(dayOfWeek)) return undefined;
  const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b);
  return {
    minute: sorted(minute),
    hour: sorted(hour),
    dayOfMonth,
    month,
    // Cron allows 7 for Sunday too.
    dayOfWeek: dayOfWeek.map((each) => each % 7),
  };
}
