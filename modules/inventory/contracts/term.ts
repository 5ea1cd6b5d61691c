// Terms of auto-renewing contracts. Each term is as long as the first and starts the day after the previous one ends.
import { addDays, type Day } from '@keelson/core';
import { daysBetween } from '../expiry/status.ts';

/** Columns that determine the terms. */
export interface Terms {
  readonly start_date: Day;
  /** First day of the current term; null in the first term. */
  readonly term_start: Day | null;
  /** Known from an earlier term: terms that would begin on a day their month lacks begin on the first of the next. */
  readonly term_overflows: boolean;
  readonly end_date: Day | null;
  readonly renewal_date: Day | null;
  readonly auto_renew: boolean;
}

/**
 * Computes the current term of an auto-renewing contract; undefined while the stored term still runs. Terms of whole
 * months are counted from the contract's first day, so that a contract of 29 February or a month's end returns to that
 * day.
 * @returns the columns to change
 */
export function renewedUntil(
  contract: Terms,
  today: Day,
): { term_start: Day; term_overflows: boolean; end_date: Day; renewal_date: Day | null } | undefined {
  const { start_date, auto_renew, end_date, renewal_date } = contract;
  if (!auto_renew || end_date === null || end_date >= today) return undefined;
  const first = contract.term_start ?? start_date;
  const { term_overflows, next } = nextTerm(contract, first, addDays(end_date, 1));
  let [begin, after] = [first, addDays(end_date, 1)];
  while (after <= today) [begin, after] = [after, next(after)];
  const last = addDays(after, -1);
  const notice = renewal_date === null ? null : daysBetween(end_date, renewal_date);
  const date = notice === null ? null : addDays(last, notice);
  return { term_start: begin, term_overflows, end_date: last, renewal_date: date };
}

/** Returns the last day to give notice of a term's end. */
export const noticeBy = (end_date: Day, notice_days: number): Day => addDays(end_date, -notice_days);

/** Returns a function that gives the first day after the term starting on a given day. */
function nextTerm(
  { start_date: anchor, term_overflows: known }: Terms,
  begin: Day,
  after: Day,
): { term_overflows: boolean; next: (begin: Day) => Day } {
  const [from, to] = [wholeMonths(anchor, begin), wholeMonths(anchor, after)];
  if (from === undefined || to === undefined || to.months <= from.months) {
    const days = Math.max(daysBetween(begin, after), 1);
    return { term_overflows: false, next: (day) => addDays(day, days) };
  }
  const length = to.months - from.months;
  // A term from 31 July to 30 August fits both modes; an earlier term disambiguates them.
  const term_overflows = known || to.overflows || from.overflows;
  let { months } = to;
  return { term_overflows, next: () => monthsAfter(anchor, (months += length), term_overflows) };
}

/** Counts the whole months between two days; undefined if not a whole number. */
function wholeMonths(anchor: Day, day: Day): { months: number; overflows: boolean } | undefined {
  const months = monthNumber(day) - monthNumber(anchor);
  if (monthsAfter(anchor, months, false) === day) return { months, overflows: false };
  // A year from 29 February may also lead to 1 March, because people enter 28 February as the end. The same goes for
  // the last days of other months.
  if (monthsAfter(anchor, months - 1, true) === day) return { months: months - 1, overflows: true };
  return undefined;
}

const monthNumber = (day: Day): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;

/**
 * Adds months to a day. If the month lacks that day, its last day is used, or, if it overflows, the first day of the
 * next month.
 */
function monthsAfter(day: Day, months: number, overflows: boolean): Day {
  const first = firstOf(monthNumber(day) + months);
  const wanted = Number(day.slice(8)) - 1;
  const most = daysBetween(first, firstOf(monthNumber(day) + months + 1)) - 1;
  return addDays(first, Math.min(wanted, overflows ? most + 1 : most));
}

const firstOf = (month: number): Day =>
  `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`;
