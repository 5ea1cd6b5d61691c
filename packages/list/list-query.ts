// Parses a list request: the columns with known values, the counter that can provide the total, and the order.
import { namedIndices } from '@keelson/database/schema/schema.ts';
import type { Table } from '@keelson/database/schema/table.ts';
import { joined, listed, name, sql, type Sql } from '@keelson/database/statement/sql.ts';
import { invalid } from '@keelson/kit/problem.ts';
import type { Common } from './common.ts';
import { notDeleted } from './counter/counter-compaction.ts';
import { countSql } from './counter/counter-read.ts';
import type { CounterTable, CountFilter, Scalar } from './counter/counter.ts';
import type { Filter, List, ListRequest, Through, Value } from './list.ts';

/** A parsed list request. */
export interface ListQuery {
  readonly list: List;
  /** Filtered columns and their values: one value is an equality, no values match nothing. */
  readonly known: ReadonlyMap<string, readonly Value[]>;
  /** Other conditions, known only as SQL. */
  readonly pieces: readonly Sql[];
  /** True if one of the conditions matches many rows. */
  readonly common: boolean;
  /** The counter that has all filtered columns, if there are no other conditions. */
  readonly counter: CounterTable | undefined;
  /** The filter for `counter`. */
  readonly counted: CountFilter | undefined;
  /** Counts rows with null in a column: all rows of one counter minus those of another that omits the nulls. */
  readonly lacking: Lacking | undefined;
  /** Sort columns, up to a unique one. Columns with one known value are omitted. */
  readonly order: readonly string[];
  /** A sort by another table's column before `order`. Omitted if its `via` has one known value. */
  readonly through: Through | undefined;
  readonly direction: 'asc' | 'desc';
}

/** Two counters with filters. The total is their difference. */
interface Lacking {
  readonly all: Counted;
  readonly but: Counted;
}
interface Counted {
  readonly counter: CounterTable;
  readonly filter: CountFilter;
}

/** Parses a list request. @throws invalid() for an unknown sort (P-18) */
export function parseRequest(list: List, request: ListRequest): ListQuery {
  const sort = Object.hasOwn(list.sorts, request.sort) ? list.sorts[request.sort] : undefined;
  if (!sort) throw invalid(`sort must be one of ${Object.keys(list.sorts).join(', ')}`);
  const known = knownValues(list, request.where);
  const pieces: readonly (Sql | Common)[] = request.where.filter((each) => 'text' in each);
  const common = pieces.some((each) => 'common' in each);
  const fixed = (column: string): boolean => known.get(column)?.length === 1;
  const order = toUnique(list.table, [...sort.columns.filter((each) => !fixed(each)), list.table.primary]);
  const through = sort.through && !fixed(sort.through.via) ? sort.through : undefined;
  return {
    list,
    known,
    pieces,
    common,
    ...countedBy(list, known, pieces),
    order,
    through,
    direction: request.direction,
  };
}

/** Narrows the query to rows with one value in a column, in the remaining order. */
export function inGroup(query: ListQuery, column: string, value: Scalar | null): ListQuery {
  const known = new Map([...query.known, [column, [value]]]);
  const order = query.order.filter((each) => each !== column);
  return { ...query, known, order, through: undefined, ...countedBy(query.list, known, query.pieces) };
}

/** Converts a filter to a condition on the table, for statements outside lists. */
export function filterSql(table: Table, filter: Filter): Sql {
  if ('text' in filter) return sql`(${filter})`;
  const { column, value } = filter;
  return columnSql(table, column, typeof value === 'object' && value !== null ? value : [value]);
}

function columnSql(table: Table, column: string, values: readonly Value[]): Sql {
  const named = name(`${table.name}.${column}`);
  if (values.length === 1) return values[0] === null ? sql`${named} IS NULL` : sql`${named} = ${values[0]}`;
  return sql`${named} IN ${listed(values.filter((each) => each !== null))}`;
}

/** Combines all conditions of the query. */
export function conditions(query: ListQuery): Sql {
  const { table } = query.list;
  const values = [...query.known].map(([column, of]) => columnSql(table, column, of));
  return joined([...values, notDeleted(table), ...query.pieces.map((each) => sql`(${each})`)]);
}

function knownValues(list: List, where: readonly Filter[]): Map<string, readonly Value[]> {
  const known = new Map<string, readonly Value[]>();
  for (const filter of where) {
    if ('text' in filter) continue;
    const { column, value } = filter;
    if (!Object.hasOwn(list.table.columns, column))
      throw new Error(`${list.table.name} has no column ${column} to filter by`);
    const values: readonly Value[] = typeof value === 'object' && value !== null ? [...new Set(value)] : [value];
    const before = known.get(column);
    known.set(column, before ? before.filter((each) => values.includes(each)) : values);
  }
  return known;
}

/** Truncates the order after the first unique column: further columns have no effect but may rule out an index. */
function toUnique(table: Table, columns: readonly string[]): string[] {
  const unique = (column: string): boolean =>
    column === table.primary ||
    (!table.columns[column]?.options.nullable &&
      namedIndices(table).some((each) => each.unique && each.columns.length === 1 && each.columns[0] === column));
  return columns.slice(0, columns.findIndex(unique) + 1);
}

function countedBy(
  list: List,
  known: ListQuery['known'],
  pieces: readonly Sql[],
): Pick<ListQuery, 'counter' | 'counted' | 'lacking'> {
  const nothing = { counter: undefined, counted: undefined, lacking: undefined };
  if (pieces.length > 0) return nothing;
  const empty = [...known].filter(([, values]) => values.includes(null)).map(([column]) => column);
  if (empty.length > 0) return { ...nothing, lacking: lackingIn(list, known, empty) };
  const counter = list.counters?.find(({ dimensions }) => [...known.keys()].every((each) => dimensions.includes(each)));
  return counter ? { counter, counted: filterOf(known), lacking: undefined } : nothing;
}

/**
 * For one column that must be null: a counter with every row, and one that only omits rows with null in that column.
 */
function lackingIn(list: List, known: ListQuery['known'], empty: readonly string[]): Lacking | undefined {
  const [column = ''] = empty;
  if (empty.length > 1 || known.get(column)?.length !== 1) return undefined;
  const others = new Map([...known].filter(([each]) => each !== column));
  const filter = filterOf(others);
  const fits = ({ dimensions, only }: CounterTable, needed: readonly string[]) =>
    needed.every((each) => dimensions.includes(each)) &&
    Object.keys(only).length === 0 &&
    dimensions.every((each) => needed.includes(each) || !list.table.columns[each]?.options.nullable);
  const all = list.counters?.find((each) => !each.dimensions.includes(column) && fits(each, [...others.keys()]));
  const but = list.counters?.find((each) => fits(each, [column, ...others.keys()]));
  return all && but ? { all: { counter: all, filter }, but: { counter: but, filter } } : undefined;
}

function filterOf(known: ListQuery['known']): CountFilter {
  const filter: Record<string, Scalar | readonly Scalar[]> = Object.create(null);
  for (const [column, values] of known) {
    const given = values.filter((each) => each !== null);
    filter[column] = given.length === 1 && given[0] !== undefined ? given[0] : given;
  }
  return filter;
}

/** Builds the exact total as an expression over counters; undefined if no counter has it. */
export function totalSql({ counter, counted, lacking }: ListQuery): Sql | undefined {
  if (counter && counted) return countSql(counter, counted);
  if (!lacking) return undefined;
  const { all, but } = lacking;
  return sql`(${countSql(all.counter, all.filter)} - ${countSql(but.counter, but.filter)})`;
}
