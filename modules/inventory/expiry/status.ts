// States that follow from dates, by the day in the tenant's time zone (V-07).
import type { Day } from '@keelson/core';

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
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}

/** The day that many days later, or earlier. */
export function dayAfter(day: Day, days: number): Day {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}
