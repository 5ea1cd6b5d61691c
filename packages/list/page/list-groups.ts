// Plans pages of lists sorted by a counted column, using the counts to find the values on the page.
import type { Db } from '@keelson/database/db.ts';
import { name, sql } from '@keelson/database/statement/sql.ts';
import { readCount, countSql, groupSql } from '../counter/counter-read.ts';
import type { CounterTable, Scalar } from '../counter/counter.ts';
import { coveringIndex, straightIndex, type IndexRange, type Plan } from '../index-range.ts';
import { inGroup, type ListQuery } from '../list-query.ts';
import { isNear, locate } from './list-plan.ts';

/**
 * Plans a page sorted by a counted column. The counts determine which values lie on the page, and each value is read
 * separately.
 * Undefined for other sorts, or if the page is near enough to be read directly.
 */
export async function planGroups(db: Db, query: ListQuery, offset: number, size: number): Promise<Plan | undefined> {
  const { counter } = query;
  const column = query.through?.via ?? query.order[0] ?? '';
  if (!counter || !query.counted || !counter.dimensions.includes(column)) return undefined;
  if (!query.through && isNear(offset, size) && straightIndex(query)) return undefined;
  // Reading by group only pays off if an index provides the order within a value.
  const group = inGroup(query, column, counter.all);
  if (!straightIndex(group) && (isNear(offset, size) || !coveringIndex(group))) return undefined;
  const found =
    (await nearGroups(db, counter, query, { offset, size })) ?? (await allGroups(db, counter, query, column));
  const ranges: IndexRange[] = [];
  let { before } = found;
  for (const { value, n } of found.groups) {
    const first = Math.max(0, offset - before);
    const limit = Math.min(n, offset + size - before) - first;
    if (limit > 0) {
      const place = { total: n, all: found.total, offset: first, limit };
      ranges.push(await locate(db, inGroup(query, column, value), place));
    }
    before += n;
  }
  return { ranges, total: found.total };
}

interface Group {
  readonly value: Scalar;
  readonly n: number;
}

/** Adjacent values, and the number of rows before the first of them. */
interface Groups {
  readonly groups: readonly Group[];
  readonly before: number;
  readonly total: number;
}

/** Number of values read from one end; enough for pages near it. */
const NEAR_GROUPS = 64;

/**
 * For a sort by another table's column, returns the values at the nearer end, if the page lies among them. They are
 * read from that table in its order, each with its count, instead of sorting the counts of all values.
 */
async function nearGroups(
  db: Db,
  counter: CounterTable,
  { through, direction, counted = {} }: ListQuery,
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

async function allGroups(db: Db, counter: CounterTable, query: ListQuery, column: string): Promise<Groups> {
  const groups = await readGroups(db, counter, query, column);
  return { groups, before: 0, total: groups.reduce((sum, { n }) => sum + n, 0) };
}

/** Returns the values of a counted column with their counts, in the requested order and direction. */
async function readGroups(db: Db, counter: CounterTable, query: ListQuery, column: string): Promise<Group[]> {
  const counts = groupSql(counter, column, query.counted ?? {});
  const { through } = query;
  const other = through && name(through.table.name);
  const rows = await db.query<{ value: Scalar; n: unknown }>(
    through && other
      ? sql`SELECT counted.value, counted.n FROM (SELECT value, SUM(n) AS n FROM (${counts}) AS each_one GROUP BY value)
          AS counted LEFT JOIN ${other} ON ${other}.${name(through.table.primary)} = counted.value
          ORDER BY ${other}.${name(through.column)}, counted.value`
      : sql`SELECT value, SUM(n) AS n FROM (${counts}) AS counted GROUP BY value ORDER BY value`,
  );
  const groups = rows.map((row) => ({ value: row.value, n: Number(row.n) })).filter((row) => row.n > 0);
  return query.direction === 'asc' ? groups : groups.toReversed();
}
