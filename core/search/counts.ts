// What the index knows of the words of a search: how many records have them, and which where they are few.
import type { Context } from '../plugin/context.ts';
import { joined, sql, type Sql } from '../database/sql.ts';
import { idsIn } from './id-list.ts';
import type { Asked, Held } from './match.ts';
import { MOST_WORDS } from './newest.ts';
import { newestUnindexed } from './pending.ts';
import type { Searchable } from './searchable.ts';

/** A word of more records than this is common: records are gone through until enough are found, instead of collected. */
export const COMMON = 1000;

export interface Counts {
  /** How many records have each word, and in how many words it stands, by `placeOf(table, word)`; both up to a bound. */
  readonly held: ReadonlyMap<string, Omit<Held, 'ids'>>;
  readonly changed: readonly { readonly type: string; readonly id: number }[];
  /** The highest id of the index, by table. */
  readonly newest: ReadonlyMap<string, number>;
}

type CountRow = { readonly kind: 'held' | 'newest' | 'changed'; what: string; n: unknown; words: unknown };

/** The counts of all words in some tables, and the newest changes that the index does not have. One statement. */
export async function readCounts(
  ctx: Context,
  tables: readonly Searchable[],
  words: readonly string[],
): Promise<Counts> {
  const counting = tables.flatMap(({ table: { name: type } }, t) =>
    words.map(
      (word, w) => sql`SELECT 'held' AS kind, ${placeOf(t, w)} AS what, COALESCE(SUM(held), 0) AS n,
          (SELECT COUNT(*) FROM (SELECT 1 FROM search_ending
            WHERE search_ending.type = ${type} AND ${beginsWith(sql`search_ending.ending`, word)}
            LIMIT ${MOST_WORDS + 1}) AS vocabulary) AS words
        FROM (SELECT held ${havingWord(ctx, type, word)} LIMIT ${COMMON + 1}) AS some`,
    ),
  );
  const topmost = tables.map(
    ({ table: { name: type } }) =>
      sql`SELECT 'newest', ${type}, MAX(record_id), 0 FROM search_text WHERE type = ${type}`,
  );
  const changed = sql`SELECT 'changed', type, id, 0 FROM (${newestUnindexed(tables)}) AS changed`;
  const rows = await ctx.db.query<CountRow>(joined([...counting, ...topmost, changed], ' UNION ALL '));
  const of = (wanted: CountRow['kind']) =>
    rows.filter(({ kind }) => kind === wanted).map((each) => ({ ...each, n: Number(each.n) }));
  return {
    held: new Map(of('held').map(({ what, n, words: its }) => [what, { n, words: Number(its) }])),
    changed: of('changed').map(({ what, n }) => ({ type: what, id: n })),
    newest: new Map(of('newest').map(({ what, n }) => [what, n])),
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

/** The words, with the records of each table that have them where they are few. */
export async function readHolders(
  ctx: Context,
  tables: readonly Searchable[],
  words: readonly string[],
  counts: Counts,
): Promise<Asked[]> {
  const rare = tables.flatMap(({ table }, t) =>
    words.flatMap((word, w) => {
      const n = counts.held.get(placeOf(t, w))?.n ?? 0;
      return n > 0 && n <= COMMON ? [{ table, word, place: placeOf(t, w) }] : [];
    }),
  );
  const reading = rare.map(
    ({ table, word, place }) => sql`SELECT ${place} AS place, block, ids ${havingWord(ctx, table.name, word)}`,
  );
  const rows =
    rare.length === 0
      ? []
      : await ctx.db.query<{ place: string; block: unknown; ids: string }>(joined(reading, ' UNION ALL '));
  const byPlace = Map.groupBy(rows, ({ place }) => place);
  return words.map((word, w) => {
    const held = tables.map(({ table }, t): [string, Held] => {
      const its = (byPlace.get(placeOf(t, w)) ?? []).flatMap(({ block, ids }) => idsIn(Number(block), ids));
      const { n = 0, words: stands = 0 } = counts.held.get(placeOf(t, w)) ?? {};
      return [table.name, { n, words: stands, ids: [...new Set(its)] }];
    });
    return { word, held: new Map(held) };
  });
}

/** The key of what is known of a word in one of several places. */
export function placeOf(which: number, word: number): string {
  return `${which} ${word}`;
}
