// The terms of a contract that renews itself: each is as long as the first one, and begins on the day after the last.
import type { Day } from '@keelson/core';
import { daysBetween, dayAfter } from '../expiry/status.ts';

/** What decides the terms. */
export interface Terms {
  readonly start_date: Day;
  /** The first day of the current term; null in the first. */
  readonly term_start: Day | null;
  readonly end_date: Day | null;
  readonly renewal_date: Day | null;
  readonly auto_renew: boolean;
}

/**
 * The term that runs on a day, when the contract renews itself; undefined while its stored term still runs.
 * Terms of whole months are counted from the contract's first day, so that one of 29 February or of the end of a month
 * comes back to it. @returns the columns to change
 */
export function renewedUntil(
  contract: Terms,
  today: Day,
): { term_start: Day; end_date: Day; renewal_date: Day | null } | undefined {
  const { start_date, auto_renew, end_date, renewal_date } = contract;
  if (!auto_renew || end_date === null || end_date >= today) return undefined;
  const first = contract.term_start ?? start_date;
  const next = nextTerm(start_date, first, dayAfter(end_date, 1));
  let [begin, after] = [first, dayAfter(end_date, 1)];
  while (after <= today) [begin, after] = [after, next(after)];
  const last = dayAfter(after, -1);
  const notice = renewal_date === null ? null : daysBetween(end_date, renewal_date);
  return { term_start: begin, end_date: last, renewal_date: notice === null ? null : dayAfter(last, notice) };
}

/** Answers the first day after the term that begins on a day. */
function nextTerm(anchor: Day, begin: Day, after: Day): (begin: Day) => Day {
  const [from, to] = [wholeMonths(anchor, begin), wholeMonths(anchor, after)];
  if (from === undefined || to === undefined || to.months <= from.months) {
    const days = Math.max(daysBetween(begin, after), 1);
    return (day) => dayAfter(day, days);
  }
  const length = to.months - from.months;
  // In a leap year both ways give 29 February: the term before it tells them apart.
  const overflows = to.overflows || from.overflows;
  let { months } = to;
  return () => monthsAfter(anchor, (months += length), overflows);
}

/** How many whole months lie between two days; undefined when it is not a number of whole months. */
function wholeMonths(anchor: Day, day: Day): { months: number; overflows: boolean } | undefined {
  const months = monthNumber(day) - monthNumber(anchor);
  if (monthsAfter(anchor, months, false) === day) return { months, overflows: false };
  // 29 February and a year may also be 1 March: the day before it is what people write as the end.
  if (monthsAfter(anchor, months - 1, true) === day) return { months: months - 1, overflows: true };
  return undefined;
}

const monthNumber = (day: Day): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;

/** The same day so many months later. A month without it has its last day instead, or overflows into the next. */
function monthsAfter(day: Day, months: number, overflows: boolean): Day {
  const first = firstOf(monthNumber(day) + months);
  const wanted = Number(day.slice(8)) - 1;
  const most = daysBetween(first, firstOf(monthNumber(day) + months + 1)) - 1;
  return dayAfter(first, overflows ? wanted : Math.min(wanted, most));
}

const firstOf = (month: number): Day =>
  `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`;
