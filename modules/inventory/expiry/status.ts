// Statuses derived from dates, in the tenant's time zone (V-07).
import { secondsBetween, type Day } from '@keelson/core';

/** Returns the status of a contract: pending before its first day, expired after its last. */
export function contractStatus(
  { start_date, end_date = null }: { readonly start_date: Day; readonly end_date?: Day | null },
  today: Day,
): 'pending' | 'active' | 'expired' {
  if (start_date > today) return 'pending';
  return end_date !== null && end_date < today ? 'expired' : 'active';
}

/** Returns the status of a license or domain: expired after its last day (I-08). */
export function statusUntil(last: Day | null | undefined, today: Day): 'active' | 'expired' {
  return last !== undefined && last !== null && last < today ? 'expired' : 'active';
}

/** Returns the whole days from one day to another; negative for past days. */
export function daysBetween(from: Day, to: Day): number {
  return Math.round(secondsBetween(midnight(from), midnight(to)) / 86_400);
}

const midnight = (day: Day) => `${day}T00:00:00.000Z`;
