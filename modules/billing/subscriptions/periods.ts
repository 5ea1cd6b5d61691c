// Subscription periods, which begin on the same day of the month as the first. A month without that day uses its last
// day, without affecting later months: 31 January, 28 February, 31 March.
import { addDays, type Day } from '@keelson/core';
import type { BillingCycle } from '../products/entities.ts';

const MONTHS: Readonly<Record<BillingCycle, number>> = { monthly: 1, quarterly: 3, annual: 12 };

export interface Periodic {
  readonly start_date: Day;
  readonly billing_cycle: BillingCycle;
}

export interface Period {
  readonly period_start: Day;
  readonly period_end: Day;
}

/** Returns the period with this index, starting at 0. */
export function periodAt(of: Periodic, index: number): Period {
  return { period_start: startOfPeriod(of, index), period_end: dayBefore(startOfPeriod(of, index + 1)) };
}

/** Returns the first day of a period. */
export function startOfPeriod({ start_date, billing_cycle }: Periodic, index: number): Day {
  return monthsAfter(start_date, index * MONTHS[billing_cycle]);
}

export function dayBefore(day: Day): Day {
  return addDays(day, -1);
}

function monthsAfter(first: Day, months: number): Day {
  const [year = 0, month = 0, day = 0] = first.split('-').map(Number);
  const all = year * 12 + month - 1 + months;
  const [y, m] = [Math.floor(all / 12), (all % 12) + 1];
  return [String(y), twoDigits(m), twoDigits(Math.min(day, daysIn(y, m)))].join('-');
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

const twoDigits = (n: number): string => String(n).padStart(2, '0');
