// Which index a page is read by. The databases' own choice goes wrong on large tables: they walk a million entries for
// 25 rows of a rare status, or sort a million rows for a page that an index already has in order.
import type { Asked } from './list-query.ts';
import { namedIndices, type NamedIndex } from '../database/schema.ts';
import { name, sql, type Sql } from '../database/sql.ts';
import type { Dialect, Table } from '../database/table.ts';

/** Reading a row through an index costs about this many steps along an index. */
const LOOK_UP = 12;

/** An index that has the matching rows side by side and in order, if there is one. */
export function straightIndex(asked: Asked): NamedIndex | undefined {
  if (asked.pieces.length > 0 || asked.through) return undefined;
  const fixed = fixedColumns(asked);
  if (fixed.length < asked.known.size) return undefined;
  return indicesOf(asked.list.table).find(({ columns }) => {
    const head = columns.slice(0, fixed.length);
    return fixed.every((each) => head.includes(each)) && ordersBy(asked, columns.slice(fixed.length));
  });
}

/**
 * The better of two ways when no index is straight: to walk one in the order asked for and skip what does not match, or
 * to gather all matching rows and sort them. Undefined leaves the choice to the database.
 * @param need how many matching rows lie between the end the walk starts from and the end of the page
 */
export function cheaperIndex(asked: Asked, need: number, matching: number, all: number): NamedIndex | undefined {
  if (asked.pieces.length > 0 || asked.through || asked.known.size === 0) return undefined;
  const filtered = [...asked.known.keys()];
  const walks = walkable(asked);
  const covering = coveringIndex(asked);
  const walk = covering ?? walks[0];
  const steps = (need * all) / Math.max(1, matching);
  if (walk && steps * (covering ? 1 : LOOK_UP) <= matching * LOOK_UP) return walk;
  return namedIndices(asked.list.table).find(({ columns }) => {
    const head = columns.slice(0, filtered.length);
    return filtered.every((each) => head.includes(each));
  });
}

/** An index in the order asked for that tells of every entry whether it matches, without looking at its row. */
export function coveringIndex(asked: Asked): NamedIndex | undefined {
  if (asked.pieces.length > 0 || asked.through) return undefined;
  const filtered = [...asked.known.keys()];
  return walkable(asked).find((each) => filtered.every((column) => each.columns.includes(column)));
}

/**
 * What to walk along for long, instead of an index: by the primary key the rows themselves lie, and to pass over half a
 * million of them reads half a gigabyte. An index in that order that tells which rows are deleted is a fiftieth of it.
 */
export function shortEntries(asked: Asked, index: NamedIndex): NamedIndex {
  if (index.name !== 'primary') return index;
  const told = 'deleted_at' in asked.list.table.columns ? ['deleted_at'] : [];
  const short = ({ name: own, columns }: NamedIndex) =>
    own !== 'primary' && told.every((each) => columns.includes(each));
  return walkable(asked).find(short) ?? index;
}

function walkable(asked: Asked): NamedIndex[] {
  return indicesOf(asked.list.table).filter((each) => ordersBy(asked, each.columns));
}

/** The table in a FROM clause, with the index it must be read by. */
export function tableSql(dialect: Dialect, table: Table, index: NamedIndex | undefined): Sql {
  if (!index) return name(table.name);
  if (index.name === 'primary' && dialect === 'sqlite') return sql`${name(table.name)} NOT INDEXED`;
  const hint = name(index.name);
  return dialect === 'mysql'
    ? sql`${name(table.name)} FORCE INDEX (${hint})`
    : sql`${name(table.name)} INDEXED BY ${hint}`;
}

/** The table's indices, its primary key among them. */
function indicesOf(table: Table): NamedIndex[] {
  return [{ name: 'primary', columns: [table.primary], unique: true }, ...namedIndices(table)];
}

function fixedColumns(asked: Asked): string[] {
  return [...asked.known].filter(([, values]) => values.length === 1).map(([column]) => column);
}

/** True when an index is in the order asked for; columns with one value do not disturb it, and it ends with the key. */
function ordersBy(asked: Asked, columns: readonly string[]): boolean {
  const fixed = fixedColumns(asked);
  const { order } = asked;
  let met = 0;
  for (const column of columns) {
    if (met === order.length) return true;
    if (column === order[met]) met++;
    else if (!fixed.includes(column)) return false;
  }
  return met === order.length || (met === order.length - 1 && order[met] === asked.list.table.primary);
}
