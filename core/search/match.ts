// The conditions of a search in SQL. There are two, and they say the same: `holders` finds the records with a word through
// the index, which is quick for a rare one; `points` judges a record that is at hand, which is quick where most have it.
import { joined, listed, name, sql, type Sql } from '../database/sql.ts';
import { inTime } from '../database/sqlite-watch.ts';
import type { Dialect, Table } from '../database/table.ts';
import { judged, unindexed, type Pending } from './pending.ts';
import { BEGINNING, WHOLE, WITHIN } from './points.ts';
import { weights, type Depth, type Searchable } from './searchable.ts';

/** A rare word has fewer holders (plan.ts), but for those that are judged. */
const MOST_HOLDERS = 5000;
/** Records with a whole word that are tried for each result. */
const MOST_TRIED = 20;

/** What is searched: the words in a table. */
export interface Search {
  readonly dialect: Dialect;
  readonly of: Searchable;
  readonly words: readonly string[];
  readonly depth: Depth;
  readonly pending: Pending;
}

/**
 * A select of the keys of at most `limit` records that may have the word: those of the index, and those that are judged.
 * A key may come several times; `points` has the last word.
 */
export function holders(search: Search, word: string, limit: number): Sql {
  const { of, pending, depth } = search;
  const own = keysOf(search, of.table, word, weights[depth]);
  const named = of.through.flatMap(([column, other]) => {
    const key = name(`${of.table.name}.${of.table.primary}`);
    const through = sql`${name(of.table.name)}.${name(column)}`;
    const known = judgedKeys(pending, other, word, weights.name);
    const referring = sql`SELECT ${key} AS id FROM (${keysOf(search, other, word, weights.name)}) AS named
      ${first(search)} ${name(of.table.name)} ON ${through} = named.id`;
    return known.length === 0
      ? [referring]
      : [referring, sql`SELECT ${key} AS id FROM ${name(of.table.name)} WHERE ${through} IN ${listed(known)}`];
  });
  const known = judgedKeys(pending, of.table, word, weights[depth]);
  const fresh = sql`SELECT ${name(of.table.primary)} AS id FROM ${name(of.table.name)}
    WHERE ${name(of.table.primary)} IN ${listed(known)}`;
  const all = known.length === 0 ? [own, ...named] : [own, fresh, ...named];
  const each = all.map((one) => sql`SELECT id FROM (${one} LIMIT ${limit}) AS some`);
  return sql`SELECT id FROM (${joined(each, ' UNION ALL ')}) AS holding LIMIT ${limit}`;
}

// The order of the join is forced: left to themselves, both databases may read every word of every record.
function keysOf(search: Search, table: Table, word: string, weight: number): Sql {
  const { dialect } = search;
  return sql`SELECT search_word.record_id AS id FROM search_ending ${first(search)} search_word
      ON search_word.type = ${table.name} AND search_word.word = search_ending.word
    WHERE search_ending.ending >= ${word} AND search_ending.ending < ${afterAll(word)}
      AND search_word.weight >= ${weight} AND ${inTime(dialect, sql`search_word.record_id`)}`;
}

function judgedKeys(pending: Pending, table: Table, word: string, weight: number): number[] {
  return [...judged(pending, table.name, word, weight).values()].flat();
}

/** The points of the row at hand for a word; 0 when it occurs neither in it nor in the name of what it refers to. */
export function points(search: Search, word: string): Sql {
  const { of, depth, dialect } = search;
  const key = `${of.table.name}.${of.table.primary}`;
  const own = pointsOf(search, of.table, name(key), { word, weight: weights[depth] });
  const named = of.through.map(([column, other]) =>
    pointsOf(search, other, name(`${of.table.name}.${column}`), { word, weight: weights.name }),
  );
  if (named.length === 0) return own;
  return sql`${dialect === 'mysql' ? sql`GREATEST` : sql`MAX`}(${joined([own, ...named], ', ')})`;
}

/** What follows SELECT, up to a condition, for the records that may have a rare word. */
export function fromRare(search: Search, rarest: string): Sql {
  const held = sql`SELECT DISTINCT id FROM (${holders(search, rarest, MOST_HOLDERS)}) AS each_one`;
  return fromHeld(search, held);
}

/** The same for the newest records in which the word stands by itself. */
export function whole(search: Search, word: string, limit: number): Sql {
  const held = sql`SELECT record_id AS id FROM search_word
    WHERE type = ${search.of.table.name} AND word = ${word} ORDER BY record_id DESC LIMIT ${limit * MOST_TRIED}`;
  return fromHeld(search, held);
}

function fromHeld(search: Search, held: Sql): Sql {
  const { table } = search.of;
  return sql`FROM (${held}) AS held ${first(search)} ${name(table.name)}
    ON ${name(`${table.name}.${table.primary}`)} = held.id WHERE 1 = 1`;
}

/** Whether the row at hand has every word. */
export function matches(search: Search): Sql {
  return joined(
    search.words.map((word) => sql`${points(search, word)} > 0`),
    ' AND ',
    '1 = 0',
  );
}

function pointsOf(
  { pending, dialect }: Search,
  table: Table,
  key: Sql,
  { word, weight }: { word: string; weight: number },
): Sql {
  const known = [...judged(pending, table.name, word, weight)].map(
    ([worth, ids]) => sql` WHEN ${key} IN ${listed(ids)} THEN ${worth}`,
  );
  const held = sql`SELECT MAX(CASE WHEN search_word.word = ${word} THEN ${WHOLE}
      WHEN INSTR(search_word.word, ${word}) = 1 THEN ${BEGINNING} ELSE ${WITHIN} END)
    FROM search_word WHERE search_word.type = ${table.name} AND search_word.record_id = ${key}
      AND search_word.weight >= ${weight} AND INSTR(search_word.word, ${word}) > 0 AND ${inTime(dialect, key)}`;
  return sql`CASE${joined(known, '', '')} WHEN ${key} IN ${unindexed(table.name)} THEN 0 ELSE COALESCE((${held}), 0) END`;
}

function first({ dialect }: Search): Sql {
  return dialect === 'mysql' ? sql`STRAIGHT_JOIN` : sql`CROSS JOIN`;
}

/** U+10FFFF is the last character: a range instead of LIKE, so that the index is used. */
function afterAll(word: string): string {
  return `${word}\u{10FFFF}`;
}
