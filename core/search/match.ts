// The conditions of a search in SQL. There are two, and they say the same: `holders` finds the records with a word through
// the index, which is quick for a rare one; `points` judges a record that is at hand, which is quick where most have it.
import { joined, listed, name, sql, type Sql } from '../database/sql.ts';
import { inTime } from '../database/sqlite-watch.ts';
import type { Dialect, Table } from '../database/table.ts';
import { judged, unindexed, type Pending } from './pending.ts';
import { BEGINNING, WHOLE, WITHIN } from './points.ts';
import { weights, type Depth, type Searchable } from './searchable.ts';

/** A word that is searched, and the words of the index that contain it; undefined when those are too many to be listed. */
export interface Asked {
  readonly word: string;
  readonly vocabulary: readonly string[] | undefined;
}

/** What is searched: the words in a table. */
export interface Search {
  readonly dialect: Dialect;
  readonly of: Searchable;
  readonly words: readonly Asked[];
  readonly depth: Depth;
  readonly pending: Pending;
}

/**
 * A select of `id` and `points` of at most `limit` records that have the word: those of the index, and those that are
 * judged. A record may come several times.
 */
export function holders(search: Search, asked: Asked, limit: number): Sql {
  const { of, depth } = search;
  const key = name(`${of.table.name}.${of.table.primary}`);
  const named = of.through.flatMap(([column, other]) => {
    const through = sql`${name(of.table.name)}.${name(column)}`;
    return held(search, other, asked, weights.name).map(
      (piece) => sql`SELECT ${key} AS id, named.points FROM (${piece}) AS named
        ${first(search)} ${name(of.table.name)} ON ${through} = named.id`,
    );
  });
  const each = [...held(search, of.table, asked, weights[depth]), ...named].map(
    (piece) => sql`SELECT id, points FROM (${piece} LIMIT ${limit}) AS some`,
  );
  return sql`SELECT id, points FROM (${joined(each, ' UNION ALL ')}) AS holding LIMIT ${limit}`;
}

/** Selects of the keys of a table's records with a word, and its points there. */
function held({ pending, dialect }: Search, table: Table, { word, vocabulary }: Asked, weight: number): Sql[] {
  const known = [...judged(pending, table.name, word, weight)].map(
    ([worth, ids]) => sql`SELECT ${name(table.primary)} AS id, ${worth} AS points FROM ${name(table.name)}
      WHERE ${name(table.primary)} IN ${listed(ids)}`,
  );
  if (vocabulary?.length === 0) return known.length > 0 ? known : [sql`SELECT 0 AS id, 0 AS points WHERE 1 = 0`];
  const counts = sql`search_word.weight >= ${weight} AND search_word.record_id NOT IN ${unindexed(table.name)}
    AND ${inTime(dialect, sql`search_word.record_id`)}`;
  const found = sql`SELECT search_word.record_id AS id, ${worthOf(word)} AS points`;
  if (vocabulary)
    return [
      ...known,
      sql`${found} FROM search_word WHERE search_word.type = ${table.name}
        AND search_word.word IN ${listed(vocabulary)} AND ${counts}`,
    ];
  // The order of the join is forced: left to themselves, both databases may read every word of every record.
  const join = dialect === 'mysql' ? sql`STRAIGHT_JOIN` : sql`CROSS JOIN`;
  return [
    ...known,
    sql`${found} FROM search_ending ${join} search_word
        ON search_word.type = ${table.name} AND search_word.word = search_ending.word
      WHERE ${beginsWith(sql`search_ending.ending`, word)} AND ${counts}`,
  ];
}

/** What follows SELECT, up to a condition, for the records that have a rare word; `held.points` are its points. */
export function fromRare(search: Search, rarest: Asked): Sql {
  return fromHeld(
    search,
    sql`SELECT id, MAX(points) AS points FROM (${holders(search, rarest, MOST_HOLDERS)}) AS each_one GROUP BY id`,
  );
}

/** The same for the newest records in which the word stands by itself. */
export function fromWhole(search: Search, { word }: Asked, limit: number): Sql {
  return fromHeld(
    search,
    sql`SELECT record_id AS id FROM search_word
      WHERE type = ${search.of.table.name} AND word = ${word} ORDER BY record_id DESC LIMIT ${limit * MOST_TRIED}`,
  );
}

/** A rare word has fewer holders (plan.ts), but for those that are judged. */
const MOST_HOLDERS = 5000;
/** Records with a whole word that are tried for each result. */
const MOST_TRIED = 20;

function fromHeld(search: Search, keys: Sql): Sql {
  const { table } = search.of;
  return sql`FROM (${keys}) AS held ${first(search)} ${name(table.name)}
    ON ${name(`${table.name}.${table.primary}`)} = held.id WHERE 1 = 1`;
}

/** The points of the row at hand for a word; 0 when it occurs neither in it nor in the name of what it refers to. */
export function points(search: Search, asked: Asked): Sql {
  const each = placesOf(search).map((place) => pointsOf(search, place, asked));
  if (each.length === 1 && each[0]) return each[0];
  return sql`${search.dialect === 'mysql' ? sql`GREATEST` : sql`MAX`}(${joined(each, ', ')})`;
}

/** Whether the row at hand has these words. */
export function matches(search: Search, words: readonly Asked[] = search.words): Sql {
  const each = words.map((asked) =>
    joined(
      placesOf(search).map((place) => sql`${holdsIt(search, place, asked)}`),
      ' OR ',
    ),
  );
  const { table } = search.of;
  return joined([...each, inTime(search.dialect, name(`${table.name}.${table.primary}`))]);
}

interface Place {
  readonly table: Table;
  readonly key: Sql;
  readonly weight: number;
}

function placesOf({ of: { table, through }, depth }: Search): Place[] {
  const own = { table, key: name(`${table.name}.${table.primary}`), weight: weights[depth] };
  const named = through.map(([column, other]) => ({
    table: other,
    key: name(`${table.name}.${column}`),
    weight: weights.name,
  }));
  return [own, ...named];
}

function pointsOf(search: Search, place: Place, asked: Asked): Sql {
  const known = [...judged(search.pending, place.table.name, asked.word, place.weight)].map(
    ([worth, ids]) => sql` WHEN ${place.key} IN ${listed(ids)} THEN ${worth}`,
  );
  if (asked.vocabulary?.length === 0) return known.length === 0 ? sql`0` : sql`CASE${joined(known, '', '')} ELSE 0 END`;
  const best = sql`SELECT MAX(${worthOf(asked.word)}) ${wordsAt(place, asked)}`;
  return sql`CASE${joined(known, '', '')} WHEN ${place.key} IN ${unindexed(place.table.name)} THEN 0
    ELSE COALESCE((${best}), 0) END`;
}

function holdsIt(search: Search, place: Place, asked: Asked): Sql {
  const ids = [...judged(search.pending, place.table.name, asked.word, place.weight).values()].flat();
  const known = ids.length === 0 ? [] : [sql`WHEN ${place.key} IN ${listed(ids)} THEN 1`];
  if (asked.vocabulary?.length === 0)
    return known.length === 0 ? sql`1 = 0` : sql`CASE ${joined(known, ' ')} ELSE 0 END = 1`;
  // A select with a limit: MariaDB would turn an EXISTS into a join, and read every record with the word.
  return sql`CASE ${joined(known, ' ', '')} WHEN ${place.key} IN ${unindexed(place.table.name)} THEN 0
    ELSE COALESCE((SELECT 1 ${wordsAt(place, asked)} LIMIT 1), 0) END = 1`;
}

function wordsAt({ table, key, weight }: Place, { word, vocabulary }: Asked): Sql {
  const fits = vocabulary ? sql`search_word.word IN ${listed(vocabulary)}` : sql`INSTR(search_word.word, ${word}) > 0`;
  return sql`FROM search_word WHERE search_word.type = ${table.name} AND search_word.record_id = ${key}
    AND search_word.weight >= ${weight} AND ${fits}`;
}

function worthOf(word: string): Sql {
  return sql`CASE WHEN search_word.word = ${word} THEN ${WHOLE}
    WHEN INSTR(search_word.word, ${word}) = 1 THEN ${BEGINNING} ELSE ${WITHIN} END`;
}

function first({ dialect }: Search): Sql {
  return dialect === 'mysql' ? sql`STRAIGHT_JOIN` : sql`CROSS JOIN`;
}

/** U+10FFFF is the last character: a range instead of LIKE, so that the index is used. */
export function beginsWith(column: Sql, word: string): Sql {
  return sql`${column} >= ${word} AND ${column} < ${`${word}\u{10FFFF}`}`;
}
