// Grouping by the day, week, month or quarter of a date: `created_at:month`. Days are in the tenant's time zone (V-07).
import { plus, sql, type Context, type Day, type Sql } from '@keelson/core';
import { dayIn, fromDatabase, mondayOf, type Zone } from '@keelson/core/kit';
import { periods, type Period, type ReportField } from '@keelson/core/system';

export function isPeriod(text: string): text is Period {
  return periods.some((each) => each === text);
}

/**
 * Returns the periods by which a field can be grouped; none unless it is a date.
 * @example periodsOf(field); // ['day', 'week', 'month', 'quarter']
 */
export function periodsOf({ type, column, names, period }: ReportField): readonly Period[] {
  return column !== undefined && !names && period === undefined && (type === 'date' || type === 'datetime')
    ? periods
    : [];
}

/** Returns the SQL to group by: a prefix of the timestamp that falls into a single period in the tenant's time zone. */
export function coarse({ app, now }: Context, field: ReportField, column: Sql): Sql {
  if (isDay(field)) return sql`SUBSTR(${column}, 1, 10)`;
  return hasWholeHours(app.zone, now) ? sql`SUBSTR(${column}, 1, 13)` : sql`SUBSTR(${column}, 1, 16)`;
}

/** Returns the period of such a prefix: `2026-03-02`, the Monday of its week, `2026-03` or `2026-Q1`. */
export function periodIn({ app }: Context, field: ReportField, period: Period, part: string): string {
  const day = isDay(field) ? part : dayIn(app.zone, fromDatabase(`${part}${':00:00'.slice(part.length - 13)}`));
  return shown(period, day);
}

/** Returns true if the column holds dates rather than timestamps. */
const isDay = ({ type, period }: ReportField): boolean => type === 'date' || period !== undefined;

function shown(period: Period, day: Day): string {
  switch (period) {
    case 'day':
      return day;
    case 'week':
      return mondayOf(day);
    case 'month':
      return day.slice(0, 7);
    case 'quarter':
      return `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`;
  }
}

const HOUR_MS = 3_600_000;

/**
 * Returns true if the zone's offset is a whole number of hours now and half a year ago; in a few zones it is not, in
 * some only in summer.
 */
function hasWholeHours(zone: Zone, now: string): boolean {
  return [now, plus(now, { days: -182 })].every((at) => zone.offsetAt(Date.parse(at)) % HOUR_MS === 0);
}
