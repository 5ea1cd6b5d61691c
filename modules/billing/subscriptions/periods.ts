// The periods of a subscription, which begin on the same day of the month as its first one. Where a month has no such
// day its last one counts, and only for that month: 31 January, 28 February, 31 March.
import { dayOf, plus, type Day } from '@keelson/core';
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

/** The period with this index; the first one has 0. */
export function periodAt(of: Periodic, index: number): Period {
  return { period_start: startOfPeriod(of, index), period_end: dayBefore(startOfPeriod(of, index + 1)) };
}

/** Its first day. */
export function startOfPeriod({ start_date, billing_cycle }: Periodic, index: number): Day {
  return monthsAfter(start_date, index * MONTHS[billing_cycle]);
}

export function dayBefore(day: Day): Day {
  return dayOf(plus(`${day}T00:00:00.000Z`, { days: -1 }));
}

function monthsAfter(first: Day, months: number): Day {
  const [year = 0, month = 0, day = 0] = first.split('-').map(Number);
  // The day 0 of a month is the last one of the month before it.
  const last = new Date(Date.UTC(year, month + months, 0));
  last.setUTCDate(Math.min(day, last.getUTCDate()));
  return last.toISOString().slice(0, 10);
}
