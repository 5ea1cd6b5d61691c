// Timestamps are ISO 8601 strings in UTC with milliseconds throughout the code: they sort as text, go into JSON
// unchanged, and do not depend on the server's time zone. Databases store 'YYYY-MM-DD HH:MM:SS.mmm'
// (database/stored-value.ts converts).

/** A moment: `2026-11-21T09:30:00.000Z`. */
export type Timestamp = string;
/** A day: `2026-11-21`. */
export type Day = string;

/** The source of the current time; tests pass their own. */
export interface Clock {
  now(): Timestamp;
}

export const systemClock: Clock = { now: clockText() };

/** Formats each millisecond once: it takes almost a microsecond, and many callers ask within the same millisecond. */
function clockText(): () => Timestamp {
  let last = Number.NaN;
  let text = '';
  return () => {
    const ms = Date.now();
    if (ms !== last) {
      last = ms;
      text = new Date(ms).toISOString();
    }
    return text;
  };
}

export interface Span {
  days?: number;
  hours?: number;
  minutes?: number;
  seconds?: number;
}

/** The moment that is `span` after `at`; negative numbers go back in time. */
export function plus(at: Timestamp, span: Span): Timestamp {
  return new Date(Date.parse(at) + seconds(span) * 1000).toISOString();
}

/** Seconds from `from` to `to`, with fractions; negative when `to` is earlier. */
export function secondsBetween(from: Timestamp, to: Timestamp): number {
  return (Date.parse(to) - Date.parse(from)) / 1000;
}

/** The length of a span in seconds. */
export function seconds(span: Span): number {
  return (span.days ?? 0) * 86_400 + (span.hours ?? 0) * 3600 + (span.minutes ?? 0) * 60 + (span.seconds ?? 0);
}

/** Whole seconds since 1970, rounded down, as `X-RateLimit-Reset` and tokens have them. */
export function unixSeconds(at: Timestamp): number {
  return Math.floor(Date.parse(at) / 1000);
}

/** The UTC date of a moment. */
export function dayOf(at: Timestamp): Day {
  return at.slice(0, 10);
}

const dayForm = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** A day as documents and mails have it: `2 Mar 2026`. */
export const dayInWords = (day: Day): string => dayForm.format(Date.parse(day));

/** The Monday of the week that a day is in (V-07). @example mondayOf('2026-11-22'); // '2026-11-16' */
export function mondayOf(day: Day): Day {
  const midnight = new Date(`${day}T00:00:00.000Z`);
  midnight.setUTCDate(midnight.getUTCDate() - ((midnight.getUTCDay() + 6) % 7));
  return midnight.toISOString().slice(0, 10);
}

/** `2026-11-21T09:30:00.000Z` → `2026-11-21 09:30:00.000`, what both databases store. */
export function toDatabase(at: Timestamp): string {
  return `${at.slice(0, 10)} ${at.slice(11, 23)}`;
}

/** The reverse of `toDatabase`; completes values that a database returns without milliseconds. */
export function fromDatabase(value: string): Timestamp {
  if (value.length === 23) return `${value.slice(0, 10)}T${value.slice(11)}Z`;
  return `${value.slice(0, 10)}T${value.slice(11, 23).padEnd(8, '0').padEnd(9, '.').padEnd(12, '0')}Z`;
}
