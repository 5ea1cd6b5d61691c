// Search conditions in SQL: which records may have a rare word, by the index, and how well a given record matches, by
// its words.
import type { Dialect } from '@keelson/database/schema/column.ts';
import type { Table } from '@keelson/database/schema/table.ts';
import { inTime } from '@keelson/database/sqlite/sqlite-watch.ts';
import { joined, listed, name, sql, type Sql } from '@keelson/database/statement/sql.ts';
import { BEGINNING, WHOLE, WITHIN } from '../points.ts';
import { namesOf } from '../referred-names.ts';
import { weights, type Depth, type Searchable } from '../searchable.ts';
import { isUnindexed, judged, type Pending } from './pending.ts';

/** How many records of a table have a word at any weight, and which if there are few. */
export interface Held {
  readonly n: number;
  readonly ids: readonly number[];
  /** Number of index entries that contain the word; at most one more than are compared (newest-by-index.ts). */
  readonly words: number;
  /** Those entries, if there are few. */
  readonly entries: readonly string[] | undefined;
  /** The rows of its only entry, if it has just one. */
  readonly newest?: NewestRows;
}

/** Index rows for the newest blocks with an entry. */
export interface NewestRows {
  /** Newest first. */
  readonly rows: readonly { readonly block: number; readonly ids: string }[];
  /** The lowest block that the rows cover. */
  readonly from: number;
}

/** A searched word and the records that have it, by table name. */
export interface Asked {
  readonly word: string;
  readonly held: ReadonlyMap<string, Held>;
}

/** A search for words in a table. */
export interface Search {
  readonly dialect: Dialect;
  readonly of: Searchable;
  readonly words: readonly Asked[];
  readonly depth: Depth;
  readonly pending: Pending;
  /** The index lags by more changes than `pending` covers. */
  readonly late: boolean;
  /** The highest record id in the index. */
  readonly top: number;
  /** The table, and the tables whose names its records can be found by, are fully indexed. */
  readonly whole: boolean;
}

export const NONE: Held = Object.freeze({ n: 0, ids: [], words: 0, entries: undefined });

export function heldBy({ held }: Asked, { name: type }: Table): Held {
  return held.get(type) ?? NONE;
}

/** Returns the records that have a word in their name. */
export function heldInName({ held }: Asked, table: Table): Held {
  return held.get(namesOf(table)) ?? NONE;
}

/** Returns the records of a table that may have a rare word: from the index, and unindexed ones that have it. */
export function candidates({ pending }: Search, table: Table, asked: Asked) {
  const now = [...judged(pending, table.name, asked.word, weights.more).values()].flat();
  return { judged: now, all: [...new Set([...heldBy(asked, table).ids, ...now])] };
}

/** Returns the records of a table that may have a rare word in their name. */
export function candidatesByName({ pending }: Search, table: Table, asked: Asked): number[] {
  const now = [...judged(pending, table.name, asked.word, weights.name).values()].flat();
  return [...new Set([...heldInName(asked, table).ids, ...now])];
}

/** Returns the FROM clause, open for conditions, for the records that may have a rare word. */
export function fromRare(search: Search, rarest: Asked): Sql {
  const { table, through } = search.of;
  const pieces = [
    [table.primary, candidates(search, table, rarest).all] as const,
    ...through.map(([column, other]) => [column, candidatesByName(search, other, rarest)] as const),
  ].flatMap(([column, ids]) => (ids.length === 0 ? [] : [keysBy(search, column, ids)]));
  return fromKeys(search, pieces.length === 0 ? keysBy(search, table.primary, []) : joined(pieces, ' UNION '));
}

/** Returns the FROM clause for records with these keys, and for unindexed ones with any of the words. */
export function fromThese(search: Search, ids: readonly number[]): Sql {
  return fromKeys(search, keysBy(search, search.of.table.primary, withJudged(search, ids)));
}

/** Adds the unindexed records that have any of the words. */
export function withJudged(search: Search, ids: readonly number[]): number[] {
  const now = search.words.flatMap((each) => candidates(search, search.of.table, each).judged);
  return [...new Set([...ids, ...now])];
}

/** Selects as `id` the keys of the records with one of these values in a column. */
export function keysBy({ of: { table } }: Search, column: string, ids: readonly number[]): Sql {
  return sql`SELECT ${name(table.primary)} AS id FROM ${name(table.name)} WHERE ${name(column)} IN ${listed(ids)}`;
}

/** Returns the FROM clause, open for conditions, for the records whose keys a select returns as `id`. */
export function fromKeys({ dialect, of: { table } }: Search, keys: Sql): Sql {
  // Force the join order: otherwise both databases may read the whole table.
  return sql`FROM (${keys}) AS may ${dialect === 'mysql' ? sql`STRAIGHT_JOIN` : sql`CROSS JOIN`} ${name(table.name)}
    ON ${name(`${table.name}.${table.primary}`)} = may.id WHERE 1 = 1`;
}

/** Returns the points of the current row for a word; 0 when neither the row nor a name it refers to has it. */
export function points(search: Search, asked: Asked): Sql {
  const each = placesOf(search, asked).map((place) => pointsOf(search, place, asked));
  if (each.length === 0) return sql`0`;
  if (each.length === 1 && each[0]) return each[0];
  return sql`${search.dialect === 'mysql' ? sql`GREATEST` : sql`MAX`}(${joined(each, ', ')})`;
}

/** Returns the condition that the current row has these words. */
export function matches(search: Search, words: readonly Asked[] = search.words): Sql {
  const each = words.map((asked) =>
    joined(
      placesOf(search, asked).map((place) => holdsIt(search, place, asked)),
      ' OR ',
      '1 = 0',
    ),
  );
  const { table } = search.of;
  return joined([...each, inTime(search.dialect, name(`${table.name}.${table.primary}`))]);
}

/** Where a word may occur, relative to a row of the table. */
interface Place {
  readonly table: Table;
  readonly key: Sql;
  readonly depth: Depth;
  readonly held: Held;
  /** Unindexed records whose current texts have the word, by points. */
  readonly known: ReadonlyMap<number, readonly number[]>;
}

/** Returns the record itself and the records it refers to, if the word occurs there at all. */
function placesOf({ of: { table, through }, depth, pending }: Search, asked: Asked): Place[] {
  const own = { table, key: name(`${table.name}.${table.primary}`), depth, held: heldBy(asked, table) };
  const named = through.map(([column, other]) => ({
    table: other,
    key: name(`${table.name}.${column}`),
    depth: 'name' as const,
    held: heldInName(asked, other),
  }));
  return [own, ...named].flatMap((each) => {
    const known = judged(pending, each.table.name, asked.word, weights[each.depth]);
    return each.held.n > 0 || known.size > 0 ? [{ ...each, known }] : [];
  });
}

function pointsOf(search: Search, { table, key, depth, held, known }: Place, asked: Asked): Sql {
  const { word } = asked;
  const now = [...known].map(([worth, ids]) => sql` WHEN ${key} IN ${listed(ids)} THEN ${worth}`);
  if (held.n === 0) return sql`CASE${joined(now, '', '')} ELSE 0 END`;
  const words = wordsIn(search.dialect, depth);
  const best = sql`SELECT CASE WHEN INSTR(${words}, ${` ${word} `}) > 0 THEN ${WHOLE}
    WHEN INSTR(${words}, ${` ${word}`}) > 0 THEN ${BEGINNING} WHEN INSTR(${words}, ${word}) > 0 THEN ${WITHIN}
    ELSE 0 END FROM search_text WHERE search_text.type = ${table.name} AND search_text.record_id = ${key}`;
  return sql`CASE${joined(now, '', '')} WHEN ${isStale(search, table, key)} THEN 0
    ELSE COALESCE((${best}), 0) END`;
}

function holdsIt(search: Search, { table, key, depth, held, known }: Place, asked: Asked): Sql {
  const ids = [...known.values()].flat();
  const now = ids.length === 0 ? sql`` : sql`WHEN ${key} IN ${listed(ids)} THEN 1`;
  if (held.n === 0) return sql`CASE ${now} ELSE 0 END = 1`;
  return sql`CASE ${now} WHEN ${isStale(search, table, key)} THEN 0
    ELSE COALESCE((SELECT INSTR(${wordsIn(search.dialect, depth)}, ${asked.word}) FROM search_text
      WHERE search_text.type = ${table.name} AND search_text.record_id = ${key}), 0) END > 0`;
}

/** Returns the condition that a record's indexed words may be outdated; its current text is used instead. */
function isStale({ pending, late }: Search, table: Table, key: Sql): Sql {
  if (late) return isUnindexed(table.name, key);
  const changed = pending.get(table.name);
  return changed ? sql`${key} IN ${listed([...changed.keys()])}` : sql`1 = 0`;
}

/** Returns the words of a record at a depth, compared byte by byte. */
function wordsIn(dialect: Dialect, depth: Depth): Sql {
  const columns = depth === 'name' ? ['name'] : depth === 'main' ? ['name', 'main'] : ['name', 'main', 'more'];
  const each = columns.map((column) => name(`search_text.${column}`));
  if (dialect === 'sqlite') return sql`(${joined(each, ' || ')})`;
  return sql`CAST(${each.length === 1 ? joined(each, '') : sql`CONCAT(${joined(each, ', ')})`} AS BINARY)`;
}
