// From a page's number to the rows it starts at, without walking over all the rows before it.
import { readDays, readMonths, type CounterTable, type CountFilter, type PeriodCount } from './counter.ts';
import type { Db } from '../database/db.ts';
import { cheaperIndex, coveringIndex, shortEntries, straightIndex } from './index-range.ts';
import { readTotal, readTotals } from './list-read.ts';
import type { Asked } from './list-query.ts';
import { name, sql, type Sql } from '../database/sql.ts';
import type { NamedIndex } from '../database/schema.ts';
import { dayOf, plus, toDatabase, type Day } from '../kit/time.ts';

/** Rows that stand next to each other in one order. */
export interface IndexRange {
  readonly asked: Asked;
  readonly index: NamedIndex | undefined;
  /** The index has the order, but other rows in between: what does not match must be told by the entries alone. */
  readonly walk?: boolean;
  /** Where on the way to start, when the day counts told. */
  readonly from?: Sql;
  /** Counted from the other end. */
  readonly backwards?: boolean;
  readonly offset: number;
  readonly limit: number;
}

export interface Plan {
  /** One after the other they are the page. */
  readonly ranges: readonly IndexRange[];
  /** Known already, to be read along with the page, or to be counted after it if need be. */
  readonly total: number | 'along' | 'after';
}

/** Up to here an offset is simply walked. */
const NEAR = 1000;

/** May the page be walked to? */
export function isNear(offset: number, size: number): boolean {
  return offset + size <= NEAR;
}

/** Pages near the start whose rows an index has in order: one statement. Undefined when that is not so. */
export function planNear(asked: Asked, offset: number, size: number): Plan | undefined {
  if (!isNear(offset, size)) return undefined;
  const index = straightIndex(asked);
  if (asked.counted && !index) return undefined;
  return { ranges: [{ asked, index, offset, limit: size }], total: asked.counted ? 'along' : 'after' };
}

/** Any other page: the total first, then the way that is shortest. */
export async function planFar(
  db: Db,
  asked: Asked,
  offset: number,
  { size, total }: { readonly size: number; readonly total?: number | undefined },
): Promise<Plan> {
  const known = total === undefined ? await totalFor(db, asked, offset) : { total };
  if (offset >= known.total) return { ranges: [], total: known.total };
  return { ranges: [await locate(db, asked, { ...known, offset, limit: size })], total: known.total };
}

async function totalFor(db: Db, asked: Asked, offset: number): Promise<Omit<Place, 'offset' | 'limit'>> {
  if (!asked.counted) return { total: await readTotal(db, asked) };
  const periods = offset > NEAR ? periodsOf(asked) : undefined;
  if (!periods) return readTotals(db, asked);
  const months = await readMonths(db, periods.counter, asked.counted);
  return { total: months.reduce((sum, { n }) => sum + n, 0), months };
}

export interface Place {
  readonly total: number;
  /** Rows of the whole table, when counted. */
  readonly all?: number | undefined;
  readonly months?: readonly PeriodCount[];
  readonly offset: number;
  readonly limit: number;
}

/** The range of rows at a place in the list, by the shortest way. */
export async function locate(db: Db, asked: Asked, place: Place): Promise<IndexRange> {
  const { total, offset } = place;
  const limit = Math.min(place.limit, total - offset);
  const after = total - offset - limit;
  const straight = straightIndex(asked);
  const divided = straight ?? coveringIndex(asked);
  if (Math.min(offset, after) > NEAR && divided) {
    const found = await startOf(db, asked, offset, place.months);
    if (found) return { asked, index: divided, walk: divided !== straight, limit, ...found };
  }
  const backwards = after < offset;
  const need = Math.min(offset, after) + limit;
  const cheaper = () => (place.all === undefined ? undefined : cheaperIndex(asked, need, total, place.all));
  const index = straight && need > NEAR ? shortEntries(asked, straight) : (straight ?? cheaper());
  const walk = index !== straight;
  return { asked, index, walk, backwards, offset: backwards ? after : offset, limit };
}

/** Lists by the counted day: the month an offset lies in, then the day, and what is left of the offset there. */
async function startOf(
  db: Db,
  asked: Asked,
  offset: number,
  known: readonly PeriodCount[] | undefined,
): Promise<{ from: Sql; offset: number } | undefined> {
  const periods = periodsOf(asked);
  if (!periods) return undefined;
  const { counter, filter } = periods;
  const month = find(asked, known ?? (await readMonths(db, counter, filter)), offset);
  if (!month) return undefined;
  const first = `${month.period}-01`;
  const next = dayOf(plus(`${first}T00:00:00.000Z`, { days: 31 })).slice(0, 7);
  const inMonth = { from: startAt(asked, first, `${next}-01`), offset: month.rest };
  if (month.rest <= NEAR || Object.hasOwn(filter, counter.dimensions[0] ?? '')) return inMonth;
  const day = find(asked, await readDays(db, counter, filter, first, `${next}-01`), month.rest);
  if (!day) return inMonth;
  const after = dayOf(plus(`${day.period}T00:00:00.000Z`, { days: 1 }));
  return { from: startAt(asked, day.period, after), offset: day.rest };
}

/** The counts that divide the list, when it is in the order of the counted day. */
function periodsOf(asked: Asked): { counter: CounterTable; filter: CountFilter } | undefined {
  const { counter, counted, order, through } = asked;
  if (!counter || !counted || through || order[0] !== counter.day || order.length !== 2) return undefined;
  const daily = new Set(counter.daily);
  return Object.keys(counted).every((each) => daily.has(each)) ? { counter, filter: counted } : undefined;
}

/** The period in which an offset lies, and the offset from its start. */
function find(asked: Asked, periods: readonly PeriodCount[], offset: number) {
  let rest = offset;
  for (const { period, n } of asked.direction === 'asc' ? periods : periods.toReversed()) {
    if (rest < n) return { period, rest };
    rest -= n;
  }
  return undefined;
}

function startAt({ list, order, direction }: Asked, first: Day, next: Day): Sql {
  const column = name(`${list.table.name}.${order[0]}`);
  const midnight = (day: Day): string => toDatabase(`${day}T00:00:00.000Z`);
  return direction === 'asc' ? sql`${column} >= ${midnight(first)}` : sql`${column} < ${midnight(next)}`;
}
