// When the tickets of a rule are created: its days at the local time, without or moved off the closed ones.
import { dayOf, plus, type Day, type Timestamp } from '@keelson/core';
import { readMoment } from '@keelson/core/kit';
import type { WorkingDays } from '@keelson/modules/levels';
import type { ClosedDays, RecurringTicket } from './entities.ts';
import { daysOf } from './rule.ts';

export type Plan = Pick<RecurringTicket, 'rrule' | 'starts_on' | 'time' | 'on_closed_days'>;

export interface PlannedDate {
  /** The day by the rule. */
  readonly day: Day;
  /** When its tickets are created, which may be on a later day. */
  readonly at: Timestamp;
}

/** Days in a row that a calendar can be closed. */
const MOST_CLOSED = 370;
/** Skipped days in a row after which a rule has no more dates. */
const MOST_SKIPPED = 400;
/** How far back dates are looked for, so that a rule that started long ago costs no more. More than `MOST_CLOSED`. */
const DAYS_BACK = 400;

/** Yields the dates after a day by the rule, or all, in order of creation. Ends if every day is closed. */
export function* datesOf(plan: Plan, { zone, isOpen }: WorkingDays, after?: Day): Iterable<PlannedDate> {
  let skipped = 0;
  for (const day of daysOf(plan.rrule, plan.starts_on, after)) {
    const on = placed(day, plan.on_closed_days, isOpen);
    if (on !== undefined) {
      skipped = 0;
      yield { day, at: readMoment(`${on}T${plan.time}:00`, zone) ?? '' };
    } else if (plan.on_closed_days === 'move' || ++skipped > MOST_SKIPPED) return;
  }
}

function placed(day: Day, onClosed: ClosedDays, isOpen: (day: Day) => boolean): Day | undefined {
  if (onClosed === 'create' || isOpen(day)) return day;
  if (onClosed === 'skip') return undefined;
  let on = day;
  for (let i = 0; i < MOST_CLOSED; i++) {
    on = dayAfter(on);
    if (isOpen(on)) return on;
  }
  return undefined;
}

const dayAfter = (day: Day): Day => dayOf(plus(`${day}T00:00:00.000Z`, { days: 1 }));

export interface Due {
  /** The last date that is due; its tickets are created now. */
  readonly date: PlannedDate | undefined;
  /** Earlier dates that were missed. */
  readonly missed: number;
  readonly next: PlannedDate | undefined;
}

/** Returns the day after which dates are looked for: the given one, or the first that can still matter. */
export function lookAfter(now: Timestamp, after?: Day): Day {
  const first = dayOf(plus(now, { days: -DAYS_BACK }));
  return after !== undefined && after > first ? after : first;
}

/** Finds what is due at a time. Days moved to the same time are one date. */
export function dueAt(plan: Plan, days: WorkingDays, now: Timestamp, after: Day | undefined): Due {
  let date: PlannedDate | undefined;
  let missed = 0;
  for (const each of datesOf(plan, days, lookAfter(now, after))) {
    if (each.at > now) return { date, missed, next: each };
    if (date && date.at !== each.at) missed++;
    date = each;
  }
  return { date, missed, next: undefined };
}
