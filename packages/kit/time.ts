// Timestamps are ISO 8601 strings in UTC with milliseconds throughout the code. They sort as text, serialise to JSON
// unchanged, and do not depend on the server's time zone. Databases store 'YYYY-MM-DD HH:MM:SS.mmm' (converted in
// database/schema/stored-value.ts).
import { shareResults } from './memoize.ts';

/** A timestamp: `2026-11-21T09:30:00.000Z`. */
export type Timestamp = string;
/** A date: `2026-11-21`. */
export type Day = string;

/** The source of the current time. Tests inject their own. */
export interface Clock {
  now(): Timestamp;
}

/** Also measures how long something took: the time of day jumps when it is corrected. */
export interface SteadyClock extends Clock {
  /** Returns milliseconds since some moment in the past; they never jump. */
  monotonic(): number;
}

export const systemClock: SteadyClock = {
  now: () => new Date().toISOString(),
  monotonic: () => performance.now(),
};

export interface Span {
  days?: number;
  hours?: number;
  minutes?: number;
  seconds?: number;
}

/** Returns the timestamp `span` after `at`. Negative numbers go back in time. */
export function plus(at: Timestamp, span: Span): Timestamp {
  return new Date(Date.parse(at) + seconds(span) * 1000).toISOString();
}

/** Returns the timestamp of Unix milliseconds, exactly: `plus` adds seconds and may lose one. */
export const instant = (ms: number): Timestamp => new Date(ms).toISOString();

/** Returns the seconds from `from` to `to`, with fractions. Negative if `to` is earlier. */
export function secondsBetween(from: Timestamp, to: Timestamp): number {
  return (Date.parse(to) - Date.parse(from)) / 1000;
}

/** Returns the length of a span in seconds. */
export function seconds(span: Span): number {
  return (span.days ?? 0) * 86_400 + (span.hours ?? 0) * 3600 + (span.minutes ?? 0) * 60 + (span.seconds ?? 0);
}

/** Returns whole seconds since 1970, rounded down, as in `X-RateLimit-Reset` and tokens. */
export function unixSeconds(at: Timestamp): number {
  return Math.floor(Date.parse(at) / 1000);
}

/** Returns the UTC date of a timestamp. */
export function dayOf(at: Timestamp): Day {
  return at.slice(0, 10);
}

/** Dates in English are written as `2 Mar 2026`. */
const localeOf = (language: string): string => (language === 'en' ? 'en-GB' : language);

const dayForm = shareResults(
  (language: string) => new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeZone: 'UTC' }),
);

/** Formats a date for documents and mail: `2 Mar 2026`, `02.03.2026` in German. */
export const dayInWords = (day: Day, language = 'en'): string => dayForm(language).format(Date.parse(day));

const momentForm = shareResults(
  (language: string, timeZone: string) =>
    new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeStyle: 'short', timeZone }),
);

/** Formats an instant with its time zone for mail: `2 Mar 2026, 10:00 (Europe/Berlin)`. */
export const momentInWords = (at: Timestamp, zone: string, language = 'en'): string =>
  `${momentForm(language, zone).format(Date.parse(at))} (${zone})`;

/** Returns the date a number of days later, or earlier. @example addDays('2026-11-30', 1); // '2026-12-01' */
export const addDays = (day: Day, days: number): Day => dayOf(plus(`${day}T00:00:00.000Z`, { days }));

/** Returns the Monday of the week that contains a date (V-07). @example mondayOf('2026-11-22'); // '2026-11-16' */
export function mondayOf(day: Day): Day {
  const midnight = new Date(`${day}T00:00:00.000Z`);
  midnight.setUTCDate(midnight.getUTCDate() - ((midnight.getUTCDay() + 6) % 7));
  return midnight.toISOString().slice(0, 10);
}

/** Converts `2026-11-21T09:30:00.000Z` to `2026-11-21 09:30:00.000`, the format of both databases. */
export function toDatabase(at: Timestamp): string {
  return `${at.slice(0, 10)} ${at.slice(11, 23)}`;
}

/** Reverses `toDatabase`. Also accepts database values without milliseconds. */
export function fromDatabase(value: string): Timestamp {
  if (value.length === 23) return `${value.slice(0, 10)}T${value.slice(11)}Z`;
  return `${value.slice(0, 10)}T${value.slice(11, 23).padEnd(8, '0').padEnd(9, '.').padEnd(12, '0')}Z`;
}
