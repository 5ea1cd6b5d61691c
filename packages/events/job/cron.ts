// Computes the times of a cron expression in a time zone, for schedules defined by users. The product's own jobs run in
// UTC with node-cron, which can only start from the current time and skips times during a clock change.
import type { Zone } from '@keelson/kit/moment.ts';
import { secondsBetween, type Timestamp } from '@keelson/kit/time.ts';
import { Cron } from 'croner';

/** Returns what is wrong with a five-field cron expression, as a phrase; undefined if it is valid. */
export function cronFault(line: string): string | undefined {
  try {
    cronOf(line);
    return undefined;
  } catch {
    return 'must be a cron line of five fields: minute hour day month weekday';
  }
}

/** Returns the first time of a valid cron expression after an instant; undefined if there is none (31 February). */
export function nextTime(line: string, zone: Zone, after: Timestamp): Timestamp | undefined {
  return nextTimes(line, zone, after, 1)[0];
}

/** Whether two of its next 26 times are less than an hour apart. */
export function isTooOften(line: string, zone: Zone, now: Timestamp): boolean {
  const times = nextTimes(line, zone, now, 26);
  return times.some((each, i) => i > 0 && secondsBetween(times[i - 1] ?? each, each) < 3600);
}

function nextTimes(line: string, zone: Zone, after: Timestamp, count: number): Timestamp[] {
  return cronOf(line, zone)
    .nextRuns(count, new Date(after))
    .map((each) => each.toISOString());
}

/**
 * Parses a cron expression.
 * @throws Error unless it has five valid fields
 */
function cronOf(line: string, zone?: Zone): Cron {
  return new Cron(normalLine(line), { mode: '5-part', domAndDow: true, ...(zone && { timezone: zone.name }) });
}

const names = [
  ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october'],
  ['november', 'december', 'sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'],
].flat();
const numbers: ReadonlyMap<string, number> = new Map(
  names.map((each, i) => [each.slice(0, 3), i < 12 ? i + 1 : i - 12]),
);
const fullNames = new RegExp(String.raw`\b(?:${names.join('|')})\b`, 'gi');

/** The minimum and maximum of each field. */
const bounds = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
] as const;

/**
 * Returns the line as croner reads it: with short names, steps such as `5/15` as ranges, and ranges such as `22-6` and
 * `fri-mon` as lists.
 * @throws Error unless it has five fields; croner would read a date or `@daily`
 */
function normalLine(line: string): string {
  const fields = line.trim().split(/\s+/);
  if (fields.length !== bounds.length || line.includes(':')) throw new Error('A cron line has five fields');
  return fields
    .map((field, i) => {
      const short = field.replace(fullNames, (each) => each.slice(0, 3));
      const [least, greatest] = bounds[i] ?? bounds[0];
      return short
        .split(',')
        .map((part) => unwrapped(part, least, greatest))
        .join(',');
    })
    .join(' ');
}

/** Returns a step from a value as a range (`5/15`), and a range whose end is before its start as a list. */
function unwrapped(part: string, least: number, greatest: number): string {
  const [, start = '', every = ''] = /^(\w+)\/(\d+)$/.exec(part) ?? [];
  if (valueOf(start) <= greatest) return `${start}-${greatest}/${every}`;
  const [, first = '', last = '', step = '1'] = /^(\w+)-(\w+)(?:\/(\d+))?$/.exec(part) ?? [];
  const from = valueOf(first);
  const to = valueOf(last);
  const values = greatest - least + 1;
  // A value out of bounds is an error, except for Sunday as 7, the end of a range such as 5-7.
  if (!(from > to) || to < least || from > greatest || Number(step) < 1) return part;
  const list: number[] = [];
  for (let at = from; at <= to + values; at += Number(step)) list.push(at > greatest ? at - values : at);
  return list.join(',');
}

const valueOf = (word: string): number =>
  word === '' ? Number.NaN : (numbers.get(word.toLowerCase()) ?? Number(word));
