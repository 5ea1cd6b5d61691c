// Plans a walk over all matching rows of a list in batches of bounded cost. It follows the order of an index, and each
// batch is a range of it.
import type { NamedIndex } from '@keelson/database/schema/schema.ts';
import { joined, name, sql, type Sql } from '@keelson/database/statement/sql.ts';
import { notDeleted } from '../counter/counter-compaction.ts';
import { indicesOf, ordersBy } from '../index-range.ts';
import { parseRequest, type ListQuery } from '../list-query.ts';
import type { Filter, List, Value } from '../list.ts';

/** A condition that restricts one column to a range, so that an index in its order is not read in full. */
export interface Range extends Sql {
  readonly range: string;
}

export interface WalkRequest {
  readonly where: readonly (Filter | Range)[];
  /** One of `indexedSorts`. If omitted, the index that reads the fewest rows determines the order. */
  readonly sort?: string | undefined;
  readonly direction: 'asc' | 'desc';
}

/** The index and the conditions of a walk, for `walk`. */
export interface WalkPlan {
  readonly query: ListQuery;
  readonly index: NamedIndex;
  /** Bounds the range of the index. */
  readonly inner: Sql;
  /** Filters the rows within the range. */
  readonly outer: Sql;
}

/** Returns the sorts of a list that an index on its own columns provides. */
export function indexedSorts(list: List): string[] {
  return Object.keys(list.sorts).filter((sort) => {
    if (list.sorts[sort]?.through) return false;
    const query = parseRequest(list, { where: [], sort, direction: 'asc' });
    return indicesOf(list.table).some(({ columns }) => ordersBy(query, columns));
  });
}

/** Chooses the index and the order. */
export function planWalk(list: List, { where, sort, direction }: WalkRequest): WalkPlan {
  const [usual] = indexedSorts(list);
  const plain = { ...list, sorts: { ...list.sorts, [BY_KEY]: { columns: [list.table.primary] } } };
  const query = parseRequest(plain, { where, sort: sort ?? usual ?? BY_KEY, direction });
  const ordered = best(query, (index) => ordersBy(query, index.columns));
  const any = sort === undefined ? best(query, () => true) : undefined;
  const index = any && (!ordered || leading(query, any) > leading(query, ordered)) ? any : ordered;
  if (!index) throw new Error(`No index of ${list.table.name} supports the order ${sort}`);
  const planned = index === ordered ? query : { ...query, order: orderOf(query, index) };
  return { query: planned, index, ...split(planned, index, where) };
}

const BY_KEY = ' key';

function best(query: ListQuery, fits: (index: NamedIndex) => boolean): NamedIndex | undefined {
  const [found] = indicesOf(query.list.table)
    .filter(fits)
    .toSorted((a, b) => leading(query, b) - leading(query, a));
  return found;
}

/** Returns the number of leading columns fixed to one value. */
function leading({ known }: ListQuery, { columns }: NamedIndex): number {
  const first = columns.findIndex((each) => known.get(each)?.length !== 1);
  return first < 0 ? columns.length : first;
}

/** Returns the index's own order after its fixed columns, up to the primary key. */
function orderOf(query: ListQuery, index: NamedIndex): string[] {
  const { primary } = query.list.table;
  const rest = index.columns.slice(leading(query, index));
  const key = rest.indexOf(primary);
  return key < 0 ? [...rest, primary] : rest.slice(0, key + 1);
}

function split(query: ListQuery, index: NamedIndex, where: WalkRequest['where']): Pick<WalkPlan, 'inner' | 'outer'> {
  const { table } = query.list;
  const fixed = index.columns.slice(0, leading(query, index));
  const isRange = (each: Filter | Range): each is Range => 'range' in each && each.range === query.order[0];
  const inner = [
    ...fixed.map((column) => equals(table.name, column, query.known.get(column) ?? [])),
    ...where.filter(isRange),
  ];
  const others = [...query.known].filter(([column]) => !fixed.includes(column));
  const outer = [
    ...others.map(([column, values]) => equals(table.name, column, values)),
    notDeleted(table),
    ...where.flatMap((each) => ('text' in each && !isRange(each) ? [each] : [])),
  ];
  return { inner: joined(inner), outer: joined(outer) };
}

function equals(table: string, column: string, values: readonly Value[]): Sql {
  const named = name(`${table}.${column}`);
  const pieces = values.map((each) => (each === null ? sql`${named} IS NULL` : sql`${named} = ${each}`));
  return joined(pieces, ' OR ', '1 = 0');
}
