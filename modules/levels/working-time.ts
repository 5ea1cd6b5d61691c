// Working time: the minutes that count according to a calendar. An instant is working time if its local wall-clock time
// lies within a span of its local day. An hour repeated when clocks go back therefore counts twice, and one skipped
// does not count.
import { dayOf, type Day, type Timestamp } from '@keelson/core';
import { instant, memoize, zoneOf } from '@keelson/core/kit';

/** Minutes since local midnight: `[540, 1020]` is 09:00 to 17:00. The end is exclusive, at most 1440. */
export type Span = readonly [from: number, to: number];

export interface WorkingHours {
  /** An IANA time zone: `Europe/Berlin`. */
  readonly time_zone: string;
  /** Spans per weekday, Monday first, in order and without overlaps. */
  readonly week: readonly (readonly Span[])[];
  /** Spans of individual dates, replacing those of the weekday; none on a holiday. */
  readonly days: ReadonlyMap<Day, readonly Span[]>;
}

/** Around the clock. */
export const aroundTheClock: WorkingHours = Object.freeze({
  time_zone: 'UTC',
  week: Array.from({ length: 7 }, () => [[0, 1440]] as const),
  days: new Map(),
});

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Maximum number of days to search for working time. */
const MOST_DAYS = 3660;

/** Returns the working milliseconds from one instant to a later one; 0 if it is not later. */
export function workingTime(hours: WorkingHours, from: Timestamp, to: Timestamp): number {
  const end = Date.parse(to);
  let sum = 0;
  for (const [start, stop] of workingSpans(hours, Date.parse(from), end)) sum += stop - start;
  return sum;
}

/**
 * Returns the first instant at which `ms` working milliseconds have passed since `from`. Undefined if that is more than
 * ten years away, as with a calendar whose days are all holidays.
 */
export function afterWorkingTime(hours: WorkingHours, from: Timestamp, ms: number): Timestamp | undefined {
  if (ms <= 0) return from;
  const begin = Date.parse(from);
  let left = ms;
  for (const [start, stop] of workingSpans(hours, begin, begin + MOST_DAYS * DAY)) {
    if (stop - start >= left) return instant(start + left);
    left -= stop - start;
  }
  return undefined;
}

/**
 * Yields the working spans between two instants, in order: one for each span of the calendar, also if midnight UTC or a
 * clock change is within it.
 */
export function* workingSpans(hours: WorkingHours, from: number, to: number): Iterable<readonly [number, number]> {
  let open: { readonly local: number; readonly opens: number; readonly from: number; readonly to: number } | undefined;
  for (const piece of piecesOf(hours, from, to)) {
    if (open?.to === piece.from && open.local === piece.local && open.opens === piece.opens)
      open = { ...open, to: piece.to };
    else {
      if (open) yield [open.from, open.to];
      open = piece;
    }
  }
  if (open) yield [open.from, open.to];
}

/** Yields the parts of the spans that lie within a UTC day and have a constant offset. */
function* piecesOf(hours: WorkingHours, from: number, to: number) {
  const stretches = stretchesOf(hours);
  for (let day = Math.floor(from / DAY); day * DAY < to; day++)
    for (const { start, end, offset } of stretches(day)) {
      // Within a stretch of constant offset, local time is linear.
      const first = Math.max(start, from);
      const last = Math.min(end, to);
      for (let local = Math.floor((first + offset) / DAY); local * DAY - offset < last; local++)
        for (const [opens, closes] of spansOn(hours, local)) {
          const a = Math.max(first, local * DAY + opens * MINUTE - offset);
          const b = Math.min(last, local * DAY + closes * MINUTE - offset);
          if (a < b) yield { local, opens, from: a, to: b };
        }
    }
}

function spansOn({ week, days }: WorkingHours, local: number): readonly Span[] {
  const exception = days.size > 0 ? days.get(dayOf(instant(local * DAY))) : undefined;
  // Day 0, 1 January 1970, was a Thursday.
  return exception ?? week[(((local + 3) % 7) + 7) % 7] ?? [];
}

interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly offset: number;
}

/**
 * Returns the stretches of constant offset within a UTC day: one, or two on the day of a change. Offsets of past and
 * future days are computed once per calendar, because asking Intl takes microseconds.
 */
const stretchesOf = memoize(({ time_zone }: WorkingHours) => {
  const { offsetAt } = zoneOf(time_zone);
  const known = new Map<number, readonly Stretch[]>();
  return (day: number): readonly Stretch[] => {
    const found = known.get(day) ?? stretchesIn(offsetAt, day * DAY, (day + 1) * DAY);
    known.set(day, found);
    return found;
  };
});

function stretchesIn(offsetAt: (ms: number) => number, start: number, end: number): readonly Stretch[] {
  const [before, after] = [offsetAt(start), offsetAt(end)];
  if (before === after) return [{ start, end, offset: before }];
  // Time zones change their offset on a full minute, at most once a day.
  let [low, high] = [start, end];
  while (high - low > MINUTE) {
    const middle = low + Math.floor((high - low) / MINUTE / 2) * MINUTE;
    if (offsetAt(middle) === before) low = middle;
    else high = middle;
  }
  return [
    { start, end: high, offset: before },
    { start: high, end, offset: after },
  ];
}
