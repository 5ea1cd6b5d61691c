// Prepares a search: which records are judged by hand, how rare the words are, and which records have the rare ones.
import type { Context } from '../plugin/context.ts';
import { joined, listed, name, sql, type Sql } from '../database/sql.ts';
import { blockOf, idsIn } from './id-list.ts';
import { candidates, heldBy, type Asked, type Held, type Search } from './match.ts';
import { MOST_WORDS, readNewestWithAll, type Newest } from './newest.ts';
import { judge, newestUnindexed } from './pending.ts';
import type { Depth, Searchable } from './searchable.ts';
import { searchableOf } from './sources.ts';

/** A word of more records than this is common: records are gone through until enough are found, instead of collected. */
export const COMMON = 1000;

export interface Wanted {
  readonly of: Searchable;
  readonly depth: Depth;
}

export interface Planned extends Search {
  /** The rarest of the words, from which to start; undefined when all are common. */
  readonly rarest: Asked | undefined;
  /** No record has all the words. */
  readonly none: boolean;
  /** Where all words are common: the newest records with all of them, if that could be told from the index. */
  readonly newest: Newest | undefined;
}

/** Plans the search for the same words in some tables; in the same order. */
export async function planSearches(
  ctx: Context,
  wanted: readonly Wanted[],
  words: readonly string[],
): Promise<Planned[]> {
  if (wanted.length === 0 || words.length === 0) return [];
  const tables = involved(ctx, wanted);
  const counts = await readCounts(ctx, tables, words);
  const pending = await judge(ctx, tables, counts.changed);
  const asked = await readHolders(ctx, tables, words, counts);
  const searches = wanted.map(({ of, depth }) => ({ dialect: ctx.db.dialect, of, words: asked, depth, pending }));
  const reached = await countReached(ctx, searches);
  const planned = searches.map((search, i) => {
    const all = asked.map((each, w) => ({ each, held: estimate(search, each) + (reached.get(placeOf(i, w)) ?? 0) }));
    const [first] = all.toSorted((a, b) => a.held - b.held);
    return { ...search, rarest: first && first.held <= COMMON ? first.each : undefined, none: first?.held === 0 };
  });
  const newest = await readNewestWithAll(
    ctx,
    planned.filter(({ rarest }) => rarest === undefined),
    {
      most: COMMON,
      top: ({ of: { table } }) => blockOf(counts.newest.get(table.name) ?? 0),
      having: (type, word) => havingWord(ctx, type, word),
    },
  );
  return planned.map((each) => ({ ...each, newest: newest.get(each) }));
}

/** These tables and those by whose names their records are found. */
function involved({ app }: Context, wanted: readonly Wanted[]): Searchable[] {
  const all = wanted.flatMap(({ of }) => [of, ...of.through.map(([, table]) => searchableOf(app, table))]);
  return [...new Set(all)];
}

interface Counts {
  /** How many records have each word, and in how many words it stands, by `placeOf(table, word)`; both up to a bound. */
  readonly held: ReadonlyMap<string, Omit<Held, 'ids'>>;
  readonly changed: readonly { readonly type: string; readonly id: number }[];
  /** The highest id of the index, by table. */
  readonly newest: ReadonlyMap<string, number>;
}

type CountRow = { readonly kind: 'held' | 'newest' | 'changed'; what: string; n: unknown; words: unknown };

async function readCounts(ctx: Context, tables: readonly Searchable[], words: readonly string[]): Promise<Counts> {
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

/** Rows of `search_word` for the words of a table in which this one stands. */
function havingWord({ db }: Context, type: string, word: string): Sql {
  // The order of the join is forced: left to themselves, both databases may read every word of the table.
  const join = db.dialect === 'mysql' ? sql`STRAIGHT_JOIN` : sql`CROSS JOIN`;
  return sql`FROM search_ending ${join} search_word
      ON search_word.type = ${type} AND search_word.word = search_ending.word
    WHERE search_ending.type = ${type} AND ${beginsWith(sql`search_ending.ending`, word)}`;
}

/** U+10FFFF is the last character: a range instead of LIKE, so that the index is used. */
function beginsWith(column: Sql, word: string): Sql {
  return sql`${column} >= ${word} AND ${column} < ${`${word}\u{10FFFF}`}`;
}

/** The words, with the records of each table that have them where they are few. */
async function readHolders(
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

/** How many records have a word in their own texts at most; those of which a common word is the name are too many. */
function estimate(search: Search, asked: Asked): number {
  const { of } = search;
  const named = of.through.some(([, other]) => heldBy(asked, other).n > COMMON);
  return named ? Infinity : heldBy(asked, of.table).n + candidates(search, of.table, asked).judged.length;
}

/** How many records refer to others that have a word in their name, by `placeOf(search, word)`. */
async function countReached(ctx: Context, searches: readonly Search[]): Promise<ReadonlyMap<string, number>> {
  const counting = searches.flatMap((search, i) =>
    search.words.flatMap((asked, w) => reaching(search, asked).map((pieces) => ({ place: placeOf(i, w), pieces }))),
  );
  if (counting.length === 0) return new Map();
  const rows = await ctx.db.query<{ place: string; n: unknown }>(
    joined(
      counting.map(
        ({ place, pieces }) =>
          sql`SELECT ${place} AS place, COUNT(*) AS n FROM (${pieces} LIMIT ${COMMON + 1}) AS reached`,
      ),
      ' UNION ALL ',
    ),
  );
  const reached = new Map<string, number>();
  for (const { place, n } of rows) reached.set(place, (reached.get(place) ?? 0) + Number(n));
  return reached;
}

/** Selects of the keys of records that refer to others with a rare word. */
function reaching(search: Search, asked: Asked): Sql[] {
  const { table, through } = search.of;
  return through.flatMap(([column, other]) => {
    const { all } = candidates(search, other, asked);
    if (all.length === 0) return [];
    return [sql`SELECT ${name(table.primary)} AS id FROM ${name(table.name)} WHERE ${name(column)} IN ${listed(all)}`];
  });
}

function placeOf(which: number, word: number): string {
  return `${which} ${word}`;
}
