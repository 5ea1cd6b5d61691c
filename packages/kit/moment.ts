// Parses dates and timestamps in common notations. Results are always in UTC (V-05, V-06).
import type { Day, Timestamp } from './time.ts';

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
const MOMENT = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|z|[+-]\d\d(?::?\d\d)?)?$/;
const DAY_MS = 86_400_000;

/** A time zone. */
export interface Zone {
  /** The IANA name. */
  readonly name: string;
  /** Returns the offset from UTC in milliseconds at a time in Unix milliseconds; positive east of UTC. */
  offsetAt(ms: number): number;
}

export const utc: Zone = Object.freeze({ name: 'UTC', offsetAt: () => 0 });

/** Returns the zone for an IANA name such as `Europe/Berlin`. @throws RangeError for an unknown name */
export function zoneOf(name: string): Zone {
  if (name === 'UTC') return utc;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const offsetAt = (ms: number): number => {
    const part = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = part;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000;
  };
  return { name, offsetAt };
}

/** Returns true if a text is an IANA time zone name known to this runtime. */
export function isZone(name: string): boolean {
  try {
    zoneOf(name);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** A local time in a zone not yet known. `parse` replaces it with a timestamp. */
export class LocalTime {
  readonly in: (zone: Zone) => Timestamp;
  constructor(at: (zone: Zone) => Timestamp) {
    this.in = at;
  }
}

/** Casts a local time to the timestamp that `parse` will replace it with. */
export function asTimestamp(time: LocalTime): Timestamp {
  return time as unknown as Timestamp;
}

/** Converts local times to timestamps: the value itself, or an object's direct members. */
export function resolveLocalTimes<T>(value: T, zone: Zone): T {
  if (value instanceof LocalTime) return value.in(zone) as T;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value);
  if (!members.some(([, each]) => each instanceof LocalTime)) return value;
  return Object.fromEntries(
    members.map(([name, each]) => [name, each instanceof LocalTime ? each.in(zone) : each]),
  ) as T;
}

/** Returns the date in a zone at a timestamp (V-07). */
export function dayIn(zone: Zone, at: Timestamp): Day {
  const ms = Date.parse(at);
  return new Date(ms + zone.offsetAt(ms)).toISOString().slice(0, 10);
}

/**
 * Parses `2026-11-21`. Undefined if the date does not exist, or the year is outside the databases' range of 1000 to
 * 9999.
 */
export function readDay(text: string): Day | undefined {
  const [, year, month, day] = DAY.exec(text) ?? [];
  if (year === undefined || year < '1000') return undefined;
  const ms = Date.UTC(Number(year), Number(month) - 1, Number(day));
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text ? undefined : text;
}

/** Parses date and time, as local time in `zone` if there is no offset. Truncates to milliseconds. */
export function readMoment(text: string, zone: Zone = utc): Timestamp | undefined {
  const [, date, hour, minute, second = '00', fraction = '', offset] = MOMENT.exec(text) ?? [];
  if (date === undefined || !readDay(date)) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const local = Date.parse(`${date}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  if (offset === undefined) return written(toUtc(local, zone));
  const ahead = offsetOf(offset);
  return ahead === undefined ? undefined : written(local - ahead);
}

/** Returns the first millisecond of a day in a zone. */
export function startOf(day: Day, zone: Zone = utc): Timestamp {
  return new Date(toUtc(Date.parse(`${day}T00:00:00.000Z`), zone)).toISOString();
}

/** Returns the last millisecond of a day in a zone, for use as an inclusive upper bound (P-12). */
export function endOf(day: Day, zone: Zone = utc): Timestamp {
  return new Date(toUtc(Date.parse(`${day}T00:00:00.000Z`) + DAY_MS, zone) - 1).toISOString();
}

/**
 * Converts local time to UTC. When clocks go back, an ambiguous time is the first; when they go forward, a skipped time
 * shifts by the gap.
 */
function toUtc(local: number, zone: Zone): number {
  const before = zone.offsetAt(local - DAY_MS);
  const after = zone.offsetAt(local + DAY_MS);
  if (before !== after && zone.offsetAt(local - before) !== before && zone.offsetAt(local - after) === after) {
    return local - after;
  }
  return local - before;
}

function offsetOf(text: string): number | undefined {
  if (text === 'Z' || text === 'z') return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(3).replace(':', ''));
  if (hours > 23 || minutes > 59) return undefined;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

function written(ms: number): Timestamp | undefined {
  const text = new Date(ms).toISOString();
  return text.length === 24 && text >= '1000' ? text : undefined;
}
