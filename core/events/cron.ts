// Computes the times of a cron line in a time zone, for schedules that people define; the product's own jobs run in UTC
// by node-cron, which cannot count from another moment than now and skips times within a clock change.
import { Cron } from 'croner';
import type { Zone } from '../kit/moment.ts';
import { secondsBetween, type Timestamp } from '../kit/time.ts';

/** Returns the fault of a five-field cron line as a phrase; undefined when it is valid. */
export function cronFault(line: string): string | undefined {
  try {
    cronOf(line);
    return undefined;
  } catch {
    return 'must be a cron line of five fields: minute hour day month weekday';
  }
}

/** Returns the first time of a valid cron line after a moment; undefined if there is none (31 February). */
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

function cronOf(line: string, zone?: Zone): Cron {
  return new Cron(line, { mode: '5-part', domAndDow: true, ...(zone && { timezone: zone.name }) });
}
