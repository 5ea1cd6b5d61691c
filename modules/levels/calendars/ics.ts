// Reads holidays from an iCalendar file, as published by authorities and calendar apps.
import { addDays, type Day } from '@keelson/core';
import ICAL from 'ical.js';

export interface FoundHoliday {
  readonly day: Day;
  readonly name: string;
}

/** Recurring events are expanded for this many years from `from`. */
const YEARS = 5;
const MOST_HOLIDAYS = 1000;
/** Maximum length of an event in days, such as works holidays of several weeks. */
const MOST_DAYS = 60;

/**
 * Returns the days of the all-day events of an iCalendar text, from the day `from`, one name per day. Undefined if the
 * text is not a calendar.
 */
export function readHolidays(text: string, from: Day): FoundHoliday[] | undefined {
  const until = `${Number(from.slice(0, 4)) + YEARS}${from.slice(4)}`;
  try {
    const found = new Map<Day, string>();
    const budget = { occurrences: MOST_OCCURRENCES };
    for (const event of eventsIn(text)) {
      if (found.size >= MOST_HOLIDAYS) break;
      const name = event.summary?.trim().slice(0, 255) || 'Holiday';
      for (const day of daysOf(event, from, until, budget)) if (!found.has(day)) found.set(day, name);
    }
    const holidays = [...found].slice(0, MOST_HOLIDAYS).map(([day, name]) => ({ day, name }));
    return holidays.toSorted((a, b) => (a.day < b.day ? -1 : 1));
  } catch {
    // The library throws different errors for different kinds of invalid input.
    return undefined;
  }
}

function eventsIn(text: string): ICAL.Event[] {
  const calendar = new ICAL.Component(ICAL.parse(text));
  return calendar.getAllSubcomponents('vevent').map((each) => new ICAL.Event(each));
}

/** Maximum number of occurrences to examine, over all events. */
interface Budget {
  occurrences: number;
}

function* daysOf(event: ICAL.Event, from: Day, until: Day, budget: Budget): Iterable<Day> {
  const { startDate: start, endDate: end } = event;
  // A meeting is not a holiday.
  if (!start?.isDate) return;
  const length = Math.min(MOST_DAYS, Math.max(1, end.subtractDate(start).toSeconds() / 86_400));
  for (const first of startsOf(event, start, until, budget))
    for (let i = 0; i < length; i++) {
      const day = addDays(first, i);
      if (day >= from && day <= until) yield day;
    }
}

/** Maximum number of occurrences to expand in total, including those before `from`. */
const MOST_OCCURRENCES = 20_000;

function* startsOf(event: ICAL.Event, start: ICAL.Time, until: Day, budget: Budget): Iterable<Day> {
  if (!event.isRecurring() || !isFollowed(event)) return yield start.toString();
  const occurrences = event.iterator();
  while (budget.occurrences-- > 0) {
    const next = occurrences.next();
    if (!next || next.toString() > until) return;
    yield next.toString();
  }
}

/**
 * Returns true if a rule finds its next occurrence in bounded time. For a rule that never matches, such as every 30
 * February, the library searches forever unless the rule is yearly. For other rules, only the first day is used.
 */
function isFollowed(event: ICAL.Event): boolean {
  const rules = event.component.getAllProperties('rrule').map((each) => each.getFirstValue());
  return rules.every(
    (rule) =>
      rule instanceof ICAL.Recur &&
      (rule.freq === 'YEARLY' ||
        (['DAILY', 'WEEKLY', 'MONTHLY'].includes(rule.freq) && Object.keys(rule.parts).length === 0)),
  );
}
