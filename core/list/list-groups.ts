// Pages of lists that are sorted by a counted column: the counts tell in which of its values a page lies.
import { readCount, type CounterTable, type Scalar } from './counter.ts';
import { countSql, groupSql } from './counter-sql.ts';
import type { Db } from '../database/db.ts';
import { coveringIndex, straightIndex } from './index-range.ts';
import { isNear, locate, type IndexRange, type Plan } from './list-plan.ts';
import { inGroup, type Asked } from './list-query.ts';
import { name, sql } from '../database/sql.ts';

/**
 * Sorts whose first column is counted: the counts by that column tell in which values the page lies, so that each is
 * read by itself. Undefined when the sort is not of that kind, or the page is near enough without.
 */
export async function planGroups(db: Db, asked: Asked, offset: number, size: number): Promise<Plan | undefined> {
  const { counter } = asked;
  const column = asked.through?.via ?? asked.order[0] ?? '';
  if (!counter || !asked.counted || !counter.dimensions.includes(column)) return undefined;
  if (!asked.through && isNear(offset, size) && straightIndex(asked)) return undefined;
  // Each value's rows must stand in order, or a group is no better than the whole.
  const group = inGroup(asked, column, counter.all);
  if (!straightIndex(group) && (isNear(offset, size) || !coveringIndex(group))) return undefined;
  const found =
    (await nearGroups(db, counter, asked, { offset, size })) ?? (await allGroups(db, counter, asked, column));
  const ranges: IndexRange[] = [];
  let { before } = found;
  for (const { value, n } of found.groups) {
    const first = Math.max(0, offset - before);
    const limit = Math.min(n, offset + size - before) - first;
    if (limit > 0) {
      const place = { total: n, all: found.total, offset: first, limit };
      ranges.push(await locate(db, inGroup(asked, column, value), place));
    }
    before += n;
  }
  return { ranges, total: found.total };
}

interface Group {
  readonly value: Scalar;
  readonly n: number;
}

/** Values that stand next to each other, and how many rows come before the first of them. */
interface Groups {
  readonly groups: readonly Group[];
  readonly before: number;
  readonly total: number;
}

/** So many values are read at once from an end: pages near it need no more, however many values there are. */
const NEAR_GROUPS = 64;

/**
 * The values at the nearer end of a sort by another table's column, when the page lies among them. They are read from
 * that table in its order, each with its count, instead of all counts put into order.
 */
async function nearGroups(
  db: Db,
  counter: CounterTable,
  { through, direction, counted = {} }: Asked,
  { offset, size }: { offset: number; size: number },
): Promise<Groups | undefined> {
  if (!through || Object.hasOwn(counted, through.via)) return undefined;
  const total = await readCount(db, counter, counted);
  if (offset >= total) return { groups: [], before: total, total };
  const fromEnd = total - offset - size < offset;
  const other = name(through.table.name);
  const key = sql`${other}.${name(through.table.primary)}`;
  const way = (direction === 'asc') === fromEnd ? sql`DESC` : sql`ASC`;
  const rows = await db.query<{ value: Scalar; n: unknown }>(
    sql`SELECT ${key} AS value, ${countSql(counter, { ...counted, [through.via]: key })} AS n FROM ${other}
      ORDER BY ${other}.${name(through.column)} ${way}, ${key} ${way} LIMIT ${NEAR_GROUPS}`,
  );
  const groups = rows.map((row) => ({ value: row.value, n: Number(row.n) })).filter((row) => row.n > 0);
  const reached = groups.reduce((sum, { n }) => sum + n, 0);
  if (fromEnd)
    return total - reached <= offset ? { groups: groups.toReversed(), before: total - reached, total } : undefined;
  return reached >= Math.min(offset + size, total) ? { groups, before: 0, total } : undefined;
}

async function allGroups(db: Db, counter: CounterTable, asked: Asked, column: string): Promise<Groups> {
  const groups = await readGroups(db, counter, asked, column);
  return { groups, before: 0, total: groups.reduce((sum, { n }) => sum + n, 0) };
}

/** The values of a counted column in the order and direction asked for, with their counts. */
async function readGroups(db: Db, counter: CounterTable, asked: Asked, column: string): Promise<Group[]> {
  const counts = groupSql(counter, column, asked.counted ?? {});
  const { through } = asked;
  const other = through && name(through.table.name);
  const rows = await db.query<{ value: Scalar; n: unknown }>(
    through && other
      ? sql`SELECT counted.value, counted.n FROM (SELECT value, SUM(n) AS n FROM (${counts}) AS each_one GROUP BY value)
          AS counted LEFT JOIN ${other} ON ${other}.${name(through.table.primary)} = counted.value
          ORDER BY ${other}.${name(through.column)}, counted.value`
      : sql`SELECT value, SUM(n) AS n FROM (${counts}) AS counted GROUP BY value ORDER BY value`,
  );
  const groups = rows.map((row) => ({ value: row.value, n: Number(row.n) })).filter((row) => row.n > 0);
  return asked.direction === 'asc' ? groups : groups.toReversed();
}
