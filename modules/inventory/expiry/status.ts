// States that follow from dates, by the day in the tenant's time zone (V-07).
import { dayOf, plus, secondsBetween, type Day } from '@keelson/core';

/** A contract is pending before its first day, and expired after its last. */
export function contractStatus(
  { start_date, end_date = null }: { readonly start_date: Day; readonly end_date?: Day | null },
  today: Day,
): 'pending' | 'active' | 'expired' {
  if (start_date > today) return 'pending';
  return end_date !== null && end_date < today ? 'expired' : 'active';
}

/** A license or domain is expired after its last day (I-08). */
export function statusUntil(last: Day | null | undefined, today: Day): 'active' | 'expired' {
  return last !== undefined && last !== null && last < today ? 'expired' : 'active';
}

/** Whole days from one day to another; negative when it is past. */
export function daysBetween(from: Day, to: Day): number {
  return Math.round(secondsBetween(midnight(from), midnight(to)) / 86_400);
}

/** The day that many days later, or earlier. */
export function dayAfter(day: Day, days: number): Day {
  return dayOf(plus(midnight(day), { days }));
}

const midnight = (day: Day) => `${day}T00:00:00.000Z`;
