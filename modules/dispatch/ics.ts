// iCalendar output: appointments attached to mails, and calendar feeds.
import { addDays, type App, type Day, type Timestamp } from '@keelson/core';
import ICAL from 'ical.js';

export interface CalendarEvent {
  /** Unique within the installation: `appointment-7`. */
  readonly key: string;
  readonly sequence?: number;
  /** Start and end as instants, or as first and last day of an all-day event. */
  readonly span: readonly [from: Timestamp, to: Timestamp] | { readonly first: Day; readonly last: Day };
  readonly summary: string;
  readonly description?: string;
  readonly url?: string;
  readonly status?: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED';
  readonly changed_at: Timestamp;
}

interface Calendar {
  readonly name: string;
  readonly method: 'PUBLISH' | 'CANCEL';
  readonly events: readonly CalendarEvent[];
}

/** Returns the iCalendar text. */
export function icsOf({ config }: App, { name, method, events }: Calendar): string {
  const host = new URL(config.baseUrl).hostname;
  const calendar = new ICAL.Component('vcalendar');
  calendar.addPropertyWithValue('version', '2.0');
  calendar.addPropertyWithValue('prodid', '-//Keelson//Dispatch//EN');
  calendar.addPropertyWithValue('method', method);
  calendar.addPropertyWithValue('x-wr-calname', name);
  for (const each of events) {
    const event = new ICAL.Component('vevent');
    event.addPropertyWithValue('uid', `${each.key}.${config.tenantSlug}@${host}`);
    event.addPropertyWithValue('sequence', each.sequence ?? 0);
    event.addPropertyWithValue('dtstamp', timeOf(each.changed_at));
    const [from, to] = boundsOf(each.span);
    event.addPropertyWithValue('dtstart', from);
    event.addPropertyWithValue('dtend', to);
    event.addPropertyWithValue('summary', each.summary);
    if (each.description) event.addPropertyWithValue('description', each.description);
    if (each.url) event.addPropertyWithValue('url', each.url);
    if (each.status) event.addPropertyWithValue('status', each.status);
    calendar.addSubcomponent(event);
  }
  return `${calendar.toString()}\r\n`;
}

function boundsOf(span: CalendarEvent['span']): [ICAL.Time, ICAL.Time] {
  if ('first' in span) {
    // The end of an all-day event is exclusive.
    const after = addDays(span.last, 1);
    return [ICAL.Time.fromDateString(span.first), ICAL.Time.fromDateString(after)];
  }
  return [timeOf(span[0]), timeOf(span[1])];
}

/** The format has a resolution of one second. */
const timeOf = (at: Timestamp) => ICAL.Time.fromDateTimeString(`${at.slice(0, 19)}Z`);
