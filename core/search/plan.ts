// Prepares a search: which records are judged by hand, how rare the words are, and which records have the rare ones.
import type { Context } from '../plugin/context.ts';
import { joined, listed, name, sql, type Sql } from '../database/sql.ts';
import { COMMON, havingWord, placeOf, readCounts, readHolders } from './counts.ts';
import { blockOf } from './id-list.ts';
import { candidates, heldBy, type Asked, type Search } from './match.ts';
import { readNewestWithAll, type Newest } from './newest.ts';
import { judge } from './pending.ts';
import type { Depth, Searchable } from './searchable.ts';
import { searchableOf } from './sources.ts';

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
  const { searches, heldOf, counts } = await prepare(ctx, wanted, words);
  const planned = searches.map((search, i) => rarestOf(search, (word) => heldOf(i, word)));
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

/** Plans for each word a search for it alone in some tables, with as many statements as for all together. */
export async function planEach(
  ctx: Context,
  wanted: readonly Wanted[],
  words: readonly string[],
): Promise<Planned[][]> {
  if (wanted.length === 0 || words.length === 0) return [];
  const { searches, heldOf } = await prepare(ctx, wanted, words);
  return words.map((_, w) =>
    searches.map((search, i) => ({
      ...rarestOf({ ...search, words: search.words.slice(w, w + 1) }, () => heldOf(i, w)),
      newest: undefined,
    })),
  );
}

function rarestOf(search: Search, heldOf: (word: number) => number): Omit<Planned, 'newest'> {
  const all = search.words.map((each, w) => ({ each, held: heldOf(w) }));
  const [first] = all.toSorted((a, b) => a.held - b.held);
  return { ...search, rarest: first && first.held <= COMMON ? first.each : undefined, none: first?.held === 0 };
}

async function prepare(ctx: Context, wanted: readonly Wanted[], words: readonly string[]) {
  const tables = involved(ctx, wanted);
  const counts = await readCounts(ctx, tables, words);
  const pending = await judge(ctx, tables, counts.changed);
  const asked = await readHolders(ctx, tables, words, counts);
  const searches = wanted.map(({ of, depth }) => ({ dialect: ctx.db.dialect, of, words: asked, depth, pending }));
  const reached = await countReached(ctx, searches);
  /** How many records of a search have a word at most. */
  const heldOf = (search: number, word: number) => {
    const [its, asking] = [searches[search], asked[word]];
    return its && asking ? estimate(its, asking) + (reached.get(placeOf(search, word)) ?? 0) : 0;
  };
  return { searches, heldOf, counts };
}

/** These tables and those by whose names their records are found. */
function involved({ app }: Context, wanted: readonly Wanted[]): Searchable[] {
  const all = wanted.flatMap(({ of }) => [of, ...of.through.map(([, table]) => searchableOf(app, table))]);
  return [...new Set(all)];
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
