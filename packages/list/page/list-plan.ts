// Plans how to read a page: the index and the starting row, without scanning all rows before it.
import type { Db } from '@keelson/database/db.ts';
import { name, sql, type Sql } from '@keelson/database/statement/sql.ts';
import { addDays, toDatabase, type Day } from '@keelson/kit/time.ts';
import { readDays, readMonths, type PeriodCount } from '../counter/counter-periods.ts';
import type { CounterTable, CountFilter } from '../counter/counter.ts';
import {
  cheaperIndex,
  commonIndex,
  coveringIndex,
  keyIndex,
  shortEntries,
  straightIndex,
  type IndexRange,
  type Plan,
} from '../index-range.ts';
import { totalSql, type ListQuery } from '../list-query.ts';
import { readTotal, readTotals } from '../list-statements.ts';

/** Offsets up to this are scanned from the start. */
const NEAR = 1000;

/** Returns true if the page is near enough to the start to scan the rows before it. */
export function isNear(offset: number, size: number): boolean {
  return offset + size <= NEAR;
}

/** Plans a page near the start that an index has in order: one statement. Undefined for other pages. */
export function planNear(query: ListQuery, offset: number, size: number): Plan | undefined {
  if (query.common) return { ranges: [{ query, index: commonIndex(query), offset, limit: size }], total: 'after' };
  if (!isNear(offset, size)) return undefined;
  const index = keyIndex(query) ?? straightIndex(query);
  const counted = totalSql(query) !== undefined;
  if (counted && !index) return undefined;
  return { ranges: [{ query, index, offset, limit: size }], total: counted ? 'along' : 'after' };
}

/** Plans any other page: reads the total first, then chooses the cheapest way. */
export async function planFar(
  db: Db,
  query: ListQuery,
  offset: number,
  { size, total }: { readonly size: number; readonly total?: number | undefined },
): Promise<Plan> {
  const known = total === undefined ? await totalFor(db, query, offset) : { total };
  if (offset >= known.total) return { ranges: [], total: known.total };
  return { ranges: [await locate(db, query, { ...known, offset, limit: size })], total: known.total };
}

async function totalFor(db: Db, query: ListQuery, offset: number): Promise<Omit<Place, 'offset' | 'limit'>> {
  if (totalSql(query) === undefined) return { total: await readTotal(db, query) };
  const periods = offset > NEAR ? periodsOf(query) : undefined;
  if (!periods) return readTotals(db, query);
  const months = await readMonths(db, periods.counter, periods.filter);
  return { total: months.reduce((sum, { n }) => sum + n, 0), months };
}

export interface Place {
  readonly total: number;
  /** Count of all rows in the table, if a counter has it. */
  readonly all?: number | undefined;
  readonly months?: readonly PeriodCount[];
  readonly offset: number;
  readonly limit: number;
}

/** Returns the cheapest range for a position in the list. */
export async function locate(db: Db, query: ListQuery, place: Place): Promise<IndexRange> {
  const { total, offset } = place;
  const limit = Math.min(place.limit, total - offset);
  const after = total - offset - limit;
  const straight = straightIndex(query);
  const divided = straight ?? coveringIndex(query);
  if (Math.min(offset, after) > NEAR && divided) {
    const found = await startOf(db, query, offset, place.months);
    if (found) return { query, index: divided, walk: divided !== straight, limit, ...found };
  }
  const backwards = after < offset;
  const need = Math.min(offset, after) + limit;
  const cheaper = () => (place.all === undefined ? undefined : cheaperIndex(query, need, total, place.all));
  const index = straight && need > NEAR ? shortEntries(query, straight) : (straight ?? cheaper());
  const walk = index !== straight;
  return { query, index, walk, backwards, offset: backwards ? after : offset, limit };
}

/** For lists ordered by the counted day, finds the month and then the day at the offset, and the remaining offset. */
async function startOf(
  db: Db,
  query: ListQuery,
  offset: number,
  known: readonly PeriodCount[] | undefined,
): Promise<{ from: Sql; offset: number } | undefined> {
  const periods = periodsOf(query);
  if (!periods) return undefined;
  const { counter, filter } = periods;
  const month = find(query, known ?? (await readMonths(db, counter, filter)), offset);
  if (!month) return undefined;
  const first = `${month.period}-01`;
  const next = addDays(first, 31).slice(0, 7);
  const inMonth = { from: startAt(query, first, `${next}-01`), offset: month.rest };
  if (month.rest <= NEAR || Object.hasOwn(filter, counter.dimensions[0] ?? '')) return inMonth;
  const day = find(query, await readDays(db, counter, filter, first, `${next}-01`), month.rest);
  if (!day) return inMonth;
  const after = addDays(day.period, 1);
  return { from: startAt(query, day.period, after), offset: day.rest };
}

/** Returns the applicable monthly and daily counts if the list is ordered by the counted day. */
function periodsOf(query: ListQuery): { counter: CounterTable; filter: CountFilter } | undefined {
  const { counter, counted, order, through } = query;
  if (!counter || !counted || through || order[0] !== counter.day || order.length !== 2) return undefined;
  const daily = new Set(counter.daily);
  return Object.keys(counted).every((each) => daily.has(each)) ? { counter, filter: counted } : undefined;
}

/** Returns the period that contains an offset, and the offset within it. */
function find(query: ListQuery, periods: readonly PeriodCount[], offset: number) {
  let rest = offset;
  for (const { period, n } of query.direction === 'asc' ? periods : periods.toReversed()) {
    if (rest < n) return { period, rest };
    rest -= n;
  }
  return undefined;
}

function startAt({ list, order, direction }: ListQuery, first: Day, next: Day): Sql {
  const column = name(`${list.table.name}.${order[0]}`);
  const midnight = (day: Day): string => toDatabase(`${day}T00:00:00.000Z`);
  return direction === 'asc' ? sql`${column} >= ${midnight(first)}` : sql`${column} < ${midnight(next)}`;
}
