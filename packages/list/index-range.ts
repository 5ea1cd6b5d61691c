// Chooses the index for reading a page. The databases choose poorly on large tables: they scan a million entries for 25
// rows of a rare status, or sort a million rows that an index already has in order.
import type { Dialect } from '@keelson/database/schema/column.ts';
import { namedIndices, type NamedIndex } from '@keelson/database/schema/schema.ts';
import type { Table } from '@keelson/database/schema/table.ts';
import { name, sql, type Sql } from '@keelson/database/statement/sql.ts';
import type { ListQuery } from './list-query.ts';

/** Consecutive rows of an index. */
export interface IndexRange {
  readonly query: ListQuery;
  readonly index: NamedIndex | undefined;
  /** The index is not straight: rows must be skipped or sorted, so the page uses a deferred join. */
  readonly walk?: boolean;
  /** The start condition, if derived from the daily counts. */
  readonly from?: Sql;
  /** The offset counts from the other end. */
  readonly backwards?: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** How to read a page. */
export interface Plan {
  /** The ranges that make up the page, in order. */
  readonly ranges: readonly IndexRange[];
  /** The total; 'along' reads it with the page, 'after' counts it afterwards if needed. */
  readonly total: number | 'along' | 'after';
}

/** Looking up a row through an index costs about as much as this many index scan steps. */
const LOOK_UP = 12;

/** Returns an index in which the matching rows are contiguous and in order, if any. */
export function straightIndex(query: ListQuery): NamedIndex | undefined {
  if ((query.pieces.length > 0 && !query.common) || query.through) return undefined;
  const fixed = fixedColumns(query);
  if (fixed.length < query.known.size) return undefined;
  return indicesOf(query.list.table).find(({ columns }) => {
    const head = columns.slice(0, fixed.length);
    return fixed.every((each) => head.includes(each)) && ordersBy(query, columns.slice(fixed.length));
  });
}

/** Returns true if reading by this index touches only the page's rows and those before them. */
export function isStraight(query: ListQuery, index: NamedIndex | undefined): boolean {
  return index !== undefined && index.name === straightIndex(query)?.name;
}

/**
 * Chooses the cheaper plan if there is no straight index: scan an index in the requested order and skip rows that do
 * not match, or find all matching rows and sort them. Undefined leaves the choice to the database.
 * @param need number of matching rows from the start of the scan to the end of the page
 */
export function cheaperIndex(query: ListQuery, need: number, matching: number, all: number): NamedIndex | undefined {
  if (query.pieces.length > 0 || query.through || query.known.size === 0) return undefined;
  const filtered = [...query.known.keys()];
  const walks = walkable(query);
  const covering = coveringIndex(query);
  const walk = covering ?? walks[0];
  const steps = (need * all) / Math.max(1, matching);
  if (walk && steps * (covering ? 1 : LOOK_UP) <= matching * LOOK_UP) return walk;
  return namedIndices(query.list.table).find(({ columns }) => {
    const head = columns.slice(0, filtered.length);
    return filtered.every((each) => head.includes(each));
  });
}

/** Returns an index in the requested order that contains all filtered columns, so that no row look-up is needed. */
export function coveringIndex(query: ListQuery): NamedIndex | undefined {
  if (query.pieces.length > 0 || query.through) return undefined;
  const filtered = [...query.known.keys()];
  return walkable(query).find((each) => filtered.every((column) => each.columns.includes(column)));
}

/**
 * Returns a cheaper index for a long scan along the primary key. Rows are stored in that order, so skipping half a
 * million of them reads half a gigabyte. A secondary index in the same order that includes `deleted_at` is a fiftieth
 * of that size.
 */
export function shortEntries(query: ListQuery, index: NamedIndex): NamedIndex {
  if (index.name !== 'primary') return index;
  const needed = 'deleted_at' in query.list.table.columns ? ['deleted_at'] : [];
  const isShort = ({ name: own, columns }: NamedIndex) =>
    own !== 'primary' && needed.every((each) => columns.includes(each));
  return walkable(query).find(isShort) ?? index;
}

/**
 * Returns the index to scan for a condition that matches many rows: in the requested order, ideally limited to filtered
 * rows.
 */
export function commonIndex(query: ListQuery): NamedIndex | undefined {
  return query.through ? undefined : (straightIndex(query) ?? walkable(query)[0]);
}

/** Returns the primary key for look-ups of several keys: an index in the requested order might be scanned in full. */
export function keyIndex({ known, list, through, order }: ListQuery): NamedIndex | undefined {
  const { primary } = list.table;
  if (through || order[0] === primary || (known.get(primary)?.length ?? 0) < 2) return undefined;
  return { name: 'primary', columns: [primary], unique: true };
}

function walkable(query: ListQuery): NamedIndex[] {
  return indicesOf(query.list.table).filter((each) => ordersBy(query, each.columns));
}

/** Builds the table in a FROM clause, with the index it must use. */
export function tableSql(dialect: Dialect, table: Table, index: NamedIndex | undefined): Sql {
  if (!index) return name(table.name);
  if (index.name === 'primary' && dialect === 'sqlite') return sql`${name(table.name)} NOT INDEXED`;
  const hint = name(index.name);
  return dialect === 'mysql'
    ? sql`${name(table.name)} FORCE INDEX (${hint})`
    : sql`${name(table.name)} INDEXED BY ${hint}`;
}

/** Returns the table's indexes, including its primary key. */
export function indicesOf(table: Table): NamedIndex[] {
  return [{ name: 'primary', columns: [table.primary], unique: true }, ...namedIndices(table)];
}

function fixedColumns(query: ListQuery): string[] {
  return [...query.known].filter(([, values]) => values.length === 1).map(([column]) => column);
}

/** Returns true if an index has the requested order. Columns fixed to one value may appear in between. */
export function ordersBy(query: ListQuery, columns: readonly string[]): boolean {
  const fixed = fixedColumns(query);
  const { order } = query;
  let met = 0;
  for (const column of columns) {
    if (met === order.length) return true;
    if (column === order[met]) met++;
    else if (!fixed.includes(column)) return false;
  }
  return met === order.length || (met === order.length - 1 && order[met] === query.list.table.primary);
}
