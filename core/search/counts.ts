// What the index knows of the words of a search: how many records have them, and which where they are few.
import type { Context } from '../plugin/context.ts';
import { joined, listed, sql, type Sql } from '../database/sql.ts';
import { idsIn } from './id-list.ts';
import type { Table } from '../database/table.ts';
import { NONE, type Asked, type Held } from './match.ts';
import { END } from './entities.ts';
import { newestUnindexed } from './pending.ts';
import type { Searchable } from './searchable.ts';

/** A word of more records than this is common: records are gone through until enough are found, instead of collected. */
export const COMMON = 1000;

/** Words of the index that a word may stand in; with more of them most records have it. */
export const MOST_WORDS = 1500;

/** Where words are looked up: the texts of a table, or the names in it (`names.ts`). */
export interface Place {
  readonly table: Table;
  /** What the index calls it. */
  readonly type: string;
}

export interface Counts {
  /** How many records have each word, and in how many words it stands, by `placeOf(place, word)`; both up to a bound. */
  readonly held: ReadonlyMap<string, Omit<Held, 'ids'>>;
  readonly changed: readonly { readonly type: string; readonly id: number }[];
  /** The highest id of the index, by table. */
  readonly newest: ReadonlyMap<string, number>;
  /** The tables that were gone through to their end. */
  readonly complete: ReadonlySet<string>;
}

type CountRow = { readonly kind: 'held' | 'newest' | 'changed' | 'complete'; what: string; n: unknown; words: unknown };

/** The counts of all words in some tables, and the newest changes that the index does not have. One statement. */
export async function readCounts(
  ctx: Context,
  { tables, places }: { readonly tables: readonly Searchable[]; readonly places: readonly Place[] },
  words: readonly string[],
): Promise<Counts> {
  const counting = places.flatMap(({ type }, t) =>
    words.map(
      // Who has a word of many is not counted: each of those words has a record.
      (
        word,
        w,
      ) => sql`SELECT 'held' AS kind, ${placeOf(t, w)} AS what, CASE WHEN words > ${COMMON} THEN ${COMMON + 1} ELSE
          (SELECT COALESCE(SUM(held), 0) FROM (SELECT held ${havingWord(ctx, type, word)} LIMIT ${COMMON + 1}) AS some)
          END AS n, words
        FROM (SELECT COUNT(*) AS words FROM (SELECT 1 FROM search_ending
          WHERE search_ending.type = ${type} AND ${beginsWith(sql`search_ending.ending`, word)}
          LIMIT ${MOST_WORDS + 1}) AS some) AS vocabulary`,
    ),
  );
  const topmost = tables.map(
    ({ table: { name: type } }) =>
      sql`SELECT 'newest', ${type}, MAX(record_id), 0 FROM search_text WHERE type = ${type}`,
  );
  const complete = sql`SELECT 'complete', type, 1, 0 FROM search_progress
    WHERE position >= ${END} AND type IN ${listed(tables.map(({ table }) => table.name))}`;
  const changed = sql`SELECT 'changed', type, id, 0 FROM (${newestUnindexed(tables)}) AS changed`;
  const rows = await ctx.db.query<CountRow>(joined([...counting, ...topmost, complete, changed], ' UNION ALL '));
  const of = (wanted: CountRow['kind']) =>
    rows.filter(({ kind }) => kind === wanted).map((each) => ({ ...each, n: Number(each.n) }));
  return {
    held: new Map(of('held').map(({ what, n, words: its }) => [what, { n, words: Number(its) }])),
    changed: of('changed').map(({ what, n }) => ({ type: what, id: n })),
    newest: new Map(of('newest').map(({ what, n }) => [what, n])),
    complete: new Set(of('complete').map(({ what }) => what)),
  };
}

/** What follows SELECT for the rows of `search_word` for the words of a table in which this one stands. */
export function havingWord({ db }: Context, type: string, word: string): Sql {
  // The order of the join is forced: left to themselves, both databases may read every word of the table.
  const join = db.dialect === 'mysql' ? sql`STRAIGHT_JOIN` : sql`CROSS JOIN`;
  return sql`FROM search_ending ${join} search_word
      ON search_word.type = ${type} AND search_word.word = search_ending.word
    WHERE search_ending.type = ${type} AND ${beginsWith(sql`search_ending.ending`, word)}`;
}

/** U+10FFFF is the last character: a range instead of LIKE, so that the index is used. */
export function beginsWith(column: Sql, word: string): Sql {
  return sql`${column} >= ${word} AND ${column} < ${`${word}\u{10FFFF}`}`;
}

/** The words, with the records of each place that have them where they are few. */
export async function readHolders(
  ctx: Context,
  places: readonly Place[],
  words: readonly string[],
  counts: Counts,
): Promise<Asked[]> {
  const rare = places.flatMap(({ type }, p) =>
    words.flatMap((word, w) => {
      const n = counts.held.get(placeOf(p, w))?.n ?? 0;
      return n > 0 && n <= COMMON ? [{ type, word, place: placeOf(p, w) }] : [];
    }),
  );
  const reading = rare.map(
    ({ type, word, place }) => sql`SELECT ${place} AS place, block, ids ${havingWord(ctx, type, word)}`,
  );
  const rows =
    rare.length === 0
      ? []
      : await ctx.db.query<{ place: string; block: unknown; ids: string }>(joined(reading, ' UNION ALL '));
  const byPlace = Map.groupBy(rows, ({ place }) => place);
  return words.map((word, w) => {
    const held = places.map(({ type }, p): [string, Held] => {
      const its = (byPlace.get(placeOf(p, w)) ?? []).flatMap(({ block, ids }) => idsIn(Number(block), ids));
      const { n = 0, words: stands = 0 } = counts.held.get(placeOf(p, w)) ?? {};
      return [type, { n, words: stands, ids: [...new Set(its)] }];
    });
    const byType = new Map(held);
    // Before it was gone through, the index has the names of a table among its texts only.
    for (const { table, type } of places)
      if (!counts.complete.has(table.name)) byType.set(type, byType.get(table.name) ?? NONE);
    return { word, held: byType };
  });
}

/** The key of what is known of a word in one of several places. */
export function placeOf(which: number, word: number): string {
  return `${which} ${word}`;
}
