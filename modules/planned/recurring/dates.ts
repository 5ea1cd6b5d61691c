// When a rule's tickets are created: its dates at the local time, with closed days skipped or moved.
import { addDays, dayOf, plus, type Day, type Timestamp } from '@keelson/core';
import { readMoment } from '@keelson/core/kit';
import type { WorkingDays } from '@keelson/modules/levels';
import type { ClosedDays, RecurringTicket } from './entities.ts';
import { daysOf } from './rule.ts';

export type Plan = Pick<RecurringTicket, 'rrule' | 'starts_on' | 'time' | 'on_closed_days'>;
/** A plan whose tickets may be created before their dates. */
export type PlanAhead = Plan & Partial<Pick<RecurringTicket, 'visit_user_id' | 'visit_days_ahead' | 'waiting'>>;

export interface PlannedDate {
  /** The date according to the rule. */
  readonly day: Day;
  /** When it takes place, which may be a later day. */
  readonly at: Timestamp;
  /** When its tickets are created: at that time of the day, or days before for visits. */
  readonly created_at: Timestamp;
}

/** Maximum consecutive days that a calendar can be closed. */
const MOST_CLOSED = 370;
/** A rule has no more dates after this many consecutive skipped days. */
const MOST_SKIPPED = 400;
/** How many days back to search for dates, so that old rules cost no more than new ones. More than `MOST_CLOSED`. */
const DAYS_BACK = 400;

/**
 * Yields the dates after a given date by the rule, or all dates, in order of creation. Ends if every day is closed, and
 * with the year 9999, after which neither database stores a time.
 * @throws Error if the time of the plan is not one
 */
export function* datesOf(plan: PlanAhead, { zone, isOpen }: WorkingDays, after?: Day): Iterable<PlannedDate> {
  if (!readMoment(`2000-01-01T${plan.time}:00`)) throw new Error(`A recurring ticket has the time ${plan.time}`);
  let skipped = 0;
  for (const day of daysOf(plan.rrule, plan.starts_on, after)) {
    const on = placed(day, plan.on_closed_days, isOpen);
    if (on !== undefined) {
      skipped = 0;
      const at = readMoment(`${on}T${plan.time}:00`, zone);
      const created_at = readMoment(`${addDays(on, -daysAhead(plan))}T${plan.time}:00`, zone);
      if (at === undefined || created_at === undefined) return;
      yield { day, at, created_at };
    } else if (plan.on_closed_days === 'move' || ++skipped > MOST_SKIPPED) return;
  }
}

function placed(day: Day, onClosed: ClosedDays, isOpen: (day: Day) => boolean): Day | undefined {
  if (onClosed === 'create' || isOpen(day)) return day;
  if (onClosed === 'skip') return undefined;
  let on = day;
  for (let i = 0; i < MOST_CLOSED; i++) {
    on = addDays(on, 1);
    if (isOpen(on)) return on;
  }
  return undefined;
}

export interface Due {
  /** The date whose tickets are created now: the latest that is due, or, planned ahead, the first to come. */
  readonly date: PlannedDate | undefined;
  /** The last date handled once the tickets of `date` are created. */
  readonly handled: PlannedDate | undefined;
  /** The number of earlier dates that were missed. */
  readonly missed: number;
  readonly next: PlannedDate | undefined;
}

/** Returns the date after which to search: the given one, or the first that can still matter. */
export function lookAfter(now: Timestamp, after?: Day): Day {
  const first = dayOf(plus(now, { days: -DAYS_BACK }));
  return after !== undefined && after > first ? after : first;
}

/** Days between the creation of a date's tickets and the date: only visits are planned ahead. */
const daysAhead = ({ visit_user_id = null, visit_days_ahead = 0 }: PlanAhead): number =>
  visit_user_id === null ? 0 : visit_days_ahead;

/**
 * Finds what is due at a time: also a date that waits for its tickets, which the plan need not have. Days moved to the
 * same time count as one date.
 */
export function dueAt(plan: PlanAhead, days: WorkingDays, now: Timestamp, after: Day | undefined): Due {
  if (daysAhead(plan) === 0) return dueNow(plan, days, now, after);
  const due = dueAhead(plan, days, now, after);
  const date = waitingOf(plan);
  return date ? { date, handled: date, missed: 0, next: due.date ?? due.next } : due;
}

function waitingOf({ waiting }: PlanAhead): PlannedDate | undefined {
  return waiting ? { ...waiting, created_at: waiting.at } : undefined;
}

function dueNow(plan: PlanAhead, days: WorkingDays, now: Timestamp, after: Day | undefined): Due {
  let date = waitingOf(plan);
  let missed = 0;
  for (const each of datesOf(plan, days, lookAfter(now, after))) {
    if (each.day === plan.waiting?.day) continue;
    if (each.at > now) return { date, handled: date, missed, next: each };
    if (date && date.at !== each.at) missed++;
    if (!date || each.at >= date.at) date = each;
  }
  return { date, handled: date, missed, next: undefined };
}

/** Dates that have passed get no visit. */
function dueAhead(plan: PlanAhead, days: WorkingDays, now: Timestamp, after: Day | undefined): Due {
  let date: PlannedDate | undefined;
  let handled: PlannedDate | undefined;
  let missed = 0;
  for (const each of datesOf(plan, days, lookAfter(now, after))) {
    if (each.at <= now) {
      if (handled?.at !== each.at) missed++;
    } else if (each.at !== date?.at) {
      if (date || each.created_at > now) return { date, handled, missed, next: each };
      date = each;
    }
    handled = each;
  }
  return { date, handled, missed, next: undefined };
}
