// Reads holidays from an iCalendar file, as authorities and calendar programs publish them.
import { dayOf, plus, type Day } from '@keelson/core';
import ICAL from 'ical.js';

export interface FoundHoliday {
  readonly day: Day;
  readonly name: string;
}

/** Repeated events are read for this many years from `from`. */
const YEARS = 5;
const MOST_HOLIDAYS = 1000;
/** Days of one event, such as works holidays of several weeks. */
const MOST_DAYS = 60;

/**
 * Returns the days of the all-day events of an iCalendar text, from the day `from`, one name per day. Undefined if the
 * text is no calendar.
 */
export function readHolidays(text: string, from: Day): FoundHoliday[] | undefined {
  const events = eventsIn(text);
  if (!events) return undefined;
  const until = `${Number(from.slice(0, 4)) + YEARS}${from.slice(4)}`;
  const found = new Map<Day, string>();
  for (const event of events)
    for (const day of daysOf(event, from, until)) {
      if (found.size >= MOST_HOLIDAYS) break;
      if (!found.has(day)) found.set(day, event.summary.trim().slice(0, 255) || 'Holiday');
    }
  return [...found].map(([day, name]) => ({ day, name })).toSorted((a, b) => (a.day < b.day ? -1 : 1));
}

function eventsIn(text: string): ICAL.Event[] | undefined {
  try {
    const calendar = new ICAL.Component(ICAL.parse(text));
    return calendar.getAllSubcomponents('vevent').map((each) => new ICAL.Event(each));
  } catch {
    // The library throws different errors for different faults of the text.
    return undefined;
  }
}

function* daysOf(event: ICAL.Event, from: Day, until: Day): Iterable<Day> {
  const { startDate: start, endDate: end } = event;
  // A meeting is no holiday.
  if (!start?.isDate) return;
  const length = Math.min(MOST_DAYS, Math.max(1, end.subtractDate(start).toSeconds() / 86_400));
  for (const first of startsOf(event, start, from, until))
    for (let i = 0; i < length; i++) {
      const day = dayOf(plus(`${first}T00:00:00.000Z`, { days: i }));
      if (day >= from && day <= until) yield day;
    }
}

/** Rules are followed for at most this many occurrences, also those before `from`. */
const MOST_OCCURRENCES = 5000;

function* startsOf(event: ICAL.Event, start: ICAL.Time, from: Day, until: Day): Iterable<Day> {
  if (!event.isRecurring()) return yield start.toString();
  const occurrences = event.iterator();
  for (let i = 0; i < MOST_OCCURRENCES; i++) {
    const next = occurrences.next();
    if (!next || next.toString() > until) return;
    yield next.toString();
  }
}
