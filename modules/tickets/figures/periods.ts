// Ticket counts since a moment. Counters cover whole UTC days; the rest of a day that began earlier in the tenant's
// time zone is counted by index.
import { dayOf, plus, sql, toDatabase, type Context, type Day, type Sql, type Timestamp } from '@keelson/core';
import { joined } from '@keelson/core/database';
import { readCountsSince, readDays, type CountFilter, type CounterTable } from '@keelson/core/list';
import { ClosedCount, OpenTime } from '../entities.ts';

/** Days over which closed tickets are averaged, including today (T-24). */
const DAYS = 30;
const HOUR_MS = 3_600_000;
const LAST_DAY = '9999-12-31';

export interface Resolution {
  readonly closed: number;
  /** Open tickets that have missed their SLA's resolution target. */
  readonly late: number;
  readonly in_time: number;
  readonly open_ms: number;
}

/** Counts tickets since each of these moments, in two statements. */
export async function countSince<K extends string>(
  ctx: Context,
  counter: CounterTable,
  since: Readonly<Record<K, Timestamp>>,
  filter: CountFilter,
): Promise<Record<K, number>> {
  const starts = Object.entries<Timestamp>(since);
  const first = starts.map(([, start]) => wholeDay(start)).toSorted()[0] ?? LAST_DAY;
  const days = await readDays(ctx.db, counter, filter, first, LAST_DAY);
  const rest = await countRest(ctx, counter, starts, filter);
  const counts = starts.map(([key, start], i) => {
    const whole = days.filter(({ period }) => period >= wholeDay(start)).reduce((sum, { n }) => sum + n, 0);
    return [key, whole + (rest[i] ?? 0)];
  });
  return Object.fromEntries(counts) as Record<K, number>;
}

/** Counts the tickets between each start and its next whole day. */
async function countRest(
  { db }: Context,
  { day = '' }: CounterTable,
  starts: readonly (readonly [string, Timestamp])[],
  filter: CountFilter,
): Promise<number[]> {
  const at = columnOf(day);
  // The unary plus forces the index on the timestamp, whose range is short here.
  const others = joined(Object.entries(filter).map(([column, value]) => sql`+${columnOf(column)} = ${value}`));
  const counts = starts.map(
    ([, start], i) => sql`(SELECT COUNT(*) FROM ticket WHERE ${at} >= ${toDatabase(start)}
      AND ${at} < ${toDatabase(`${wholeDay(start)}T00:00:00.000Z`)} AND ${others} AND ticket.deleted_at IS NULL)
      AS ${{ text: `rest_${i}`, params: [] }}`,
  );
  const [row] = await db.query<Record<`rest_${number}`, unknown>>(sql`SELECT ${joined(counts, ', ')}`);
  return starts.map((_, i) => Number(row?.[`rest_${i}`] ?? 0));
}

/** Column names come from code only, never from a caller. */
const columnOf = (column: string): Sql => ({ text: `ticket.${column}`, params: [] });

/** Returns the first UTC day that starts at or after a moment. */
function wholeDay(start: Timestamp): Day {
  return start.endsWith('T00:00:00.000Z') ? dayOf(start) : dayOf(plus(start, { days: 1 }));
}

/** Returns the first day of the averaging window. */
export const firstDay = ({ now }: Context): Day => dayOf(plus(now, { days: 1 - DAYS }));

/**
 * Returns the number of tickets closed in the window, the number within target, and their total open time, and the
 * number of open ones that are late.
 */
export async function readResolution(ctx: Context, filter: CountFilter, whose: Sql): Promise<Resolution> {
  const closed = await readCountsSince(ctx.db, ClosedCount, 'in_time', filter, firstDay(ctx));
  const open = await readCountsSince(ctx.db, OpenTime, 'in_time', filter, firstDay(ctx));
  const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((total, n) => total + n, 0);
  return { closed: sum(closed), late: await countLate(ctx, whose), in_time: closed.get('1') ?? 0, open_ms: sum(open) };
}

/** Counts open tickets that have missed their SLA's resolution target. The index lists only those with a missed target. */
export async function countLate({ db, now }: Context, whose: Sql): Promise<number> {
  const [row] = await db.query<{ n: unknown }>(sql`SELECT COUNT(*) AS n FROM ticket
    WHERE ticket.target_due <= ${Date.parse(now)} AND ticket.target_met = 0 AND ticket.status <> 'closed'
      AND ticket.deleted_at IS NULL AND ${whose}`);
  return Number(row?.n ?? 0);
}

export function summary({ closed, late, in_time, open_ms }: Resolution) {
  const rounded = (value: number) => Math.round(value * 10) / 10;
  return {
    avg_resolution_hours: closed === 0 ? 0 : rounded(open_ms / closed / HOUR_MS),
    sla_compliance: closed + late === 0 ? 100 : rounded((in_time / (closed + late)) * 100),
  };
}
