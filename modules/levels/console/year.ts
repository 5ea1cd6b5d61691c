// The days of a year in weeks, and what they are by a calendar.

export type DayState = 'open' | 'closed' | 'holiday' | 'special';

export interface Month {
  /** Its first day. */
  readonly first: string;
  /** Weeks from Monday to Sunday; days of other months are empty. */
  readonly weeks: readonly (readonly string[])[];
}

const DAY_MS = 86_400_000;
const WEEK = 7;

/** Returns the months of a year. */
export function monthsOf(year: number): Month[] {
  return Array.from({ length: 12 }, (_, month) => {
    const start = Date.UTC(year, month, 1);
    const days = Math.round((Date.UTC(year, month + 1, 1) - start) / DAY_MS);
    const before = weekdayAt(start);
    const dayOf = (n: number): string => `${year}-${twoDigits(month + 1)}-${twoDigits(n)}`;
    const cells = Array.from({ length: Math.ceil((before + days) / WEEK) * WEEK }, (_cell, i) => {
      const n = i - before + 1;
      return n < 1 || n > days ? '' : dayOf(n);
    });
    return {
      first: dayOf(1),
      weeks: Array.from({ length: cells.length / WEEK }, (_week, i) => cells.slice(i * WEEK, (i + 1) * WEEK)),
    };
  });
}

const twoDigits = (n: number): string => String(n).padStart(2, '0');

/** The first day of 1970 was a Thursday. */
const FIRST_WEEKDAY = 3;

/** Returns the weekday of a time in UTC: 0 for Monday. */
const weekdayAt = (ms: number): number => (((Math.floor(ms / DAY_MS) + FIRST_WEEKDAY) % WEEK) + WEEK) % WEEK;

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** Returns what a day is: open and closed by its weekday, unless it has hours of its own. */
export function stateOf(
  day: string,
  open: ReadonlySet<string>,
  holidays: ReadonlyMap<string, { readonly hours: readonly unknown[] }>,
): DayState {
  const own = holidays.get(day);
  if (own) return own.hours.length > 0 ? 'special' : 'holiday';
  return open.has(weekdays[weekdayAt(Date.parse(day))] ?? '') ? 'open' : 'closed';
}
