// Plans a search: which unindexed records to compare, how rare the words are, and which records have the rare ones.
import { joined, sql, type Sql } from '@keelson/database/statement/sql.ts';
import type { Context } from '../../plugin/context.ts';
import { namesOf } from '../referred-names.ts';
import { searchableOf } from '../search-sources.ts';
import type { Depth, Searchable } from '../searchable.ts';
import { COMMON, readHolders } from './counts.ts';
import { candidates, candidatesByName, heldBy, heldInName, keysBy, type Asked, type Search } from './match.ts';
import { MOST_JUDGED, judge } from './pending.ts';
import { readVocabulary, type Place } from './vocabulary.ts';

export interface Wanted {
  readonly of: Searchable;
  readonly depth: Depth;
}

export interface Planned extends Search {
  /** The rarest word, where the search starts; undefined when all are common. */
  readonly rarest: Asked | undefined;
  /** No record has all the words. */
  readonly none: boolean;
  /** Number of records that refer to others with a word in their name; a value above `COMMON` is only a lower bound. */
  readonly reached: (asked: Asked) => number;
}

/** Plans a search for the same words in several tables, in the same order. */
export async function planSearches(
  ctx: Context,
  wanted: readonly Wanted[],
  words: readonly string[],
): Promise<Planned[]> {
  if (wanted.length === 0 || words.length === 0) return [];
  const { searches, reachedOf } = await prepare(ctx, wanted, words);
  return searches.map((search, i) => planned(search, reachedOf(i)));
}

/** Plans a separate search per word in several tables, with as many statements as one search for all words. */
export async function planEach(
  ctx: Context,
  wanted: readonly Wanted[],
  words: readonly string[],
): Promise<Planned[][]> {
  if (wanted.length === 0 || words.length === 0) return [];
  const { searches, reachedOf } = await prepare(ctx, wanted, words);
  return words.map((_, w) =>
    searches.map((search, i) => planned({ ...search, words: search.words.slice(w, w + 1) }, reachedOf(i))),
  );
}

function planned(search: Search, reached: Planned['reached']): Planned {
  const all = search.words.map((each) => ({ each, held: ownHeld(search, each) + reached(each) }));
  const [first] = all.toSorted((a, b) => a.held - b.held);
  const rarest = first && first.held <= COMMON ? first.each : undefined;
  return { ...search, rarest, none: first?.held === 0, reached };
}

async function prepare(ctx: Context, wanted: readonly Wanted[], words: readonly string[]) {
  const tables = involved(ctx, wanted);
  const places = placesOf(tables, wanted);
  const vocabulary = await readVocabulary(ctx, { tables, places }, words);
  const pending = await judge(ctx, tables, vocabulary.changed);
  const asked = await readHolders(ctx, words, vocabulary);
  const searches = wanted.map(({ of, depth }): Search => ({
    dialect: ctx.db.dialect,
    of,
    words: asked,
    depth,
    pending,
    late: vocabulary.changed.length >= MOST_JUDGED,
    top: vocabulary.newest.get(of.table.name) ?? 0,
    whole: [of.table, ...of.through.map(([, table]) => table)].every(({ name: its }) => vocabulary.complete.has(its)),
  }));
  const reached = await countReached(ctx, searches);
  /** Returns the number of records that refer to others with a word in their name, by search. */
  const reachedOf =
    (search: number): Planned['reached'] =>
    (word) =>
      searches[search]?.of.through.some(([, other]) => heldInName(word, other).n > COMMON)
        ? Infinity
        : (reached.get(placeOf(search, asked.indexOf(word))) ?? 0);
  return { searches, reachedOf };
}

/** Returns these tables and those whose names their records are found by. */
function involved({ app }: Context, wanted: readonly Wanted[]): Searchable[] {
  const all = wanted.flatMap(({ of }) => [of, ...of.through.map(([, table]) => searchableOf(app, table))]);
  return [...new Set(all)];
}

/** Returns what to look up in the index: the texts of the tables, and the names of the tables they refer to. */
function placesOf(tables: readonly Searchable[], wanted: readonly Wanted[]): Place[] {
  const named = new Set(wanted.flatMap(({ of }) => of.through.map(([, table]) => table)));
  return [
    ...tables.map(({ table }) => ({ table, type: table.name })),
    ...[...named].map((table) => ({ table, type: namesOf(table) })),
  ];
}

/** Returns the maximum number of records with a word in their own texts. */
function ownHeld(search: Search, asked: Asked): number {
  const { table } = search.of;
  return heldBy(asked, table).n + candidates(search, table, asked).judged.length;
}

/** Returns the key for a word of one of several searches. */
function placeOf(search: number, word: number): string {
  return `${search} ${word}`;
}

/** Counts the records that refer to others with a word in their name, by `placeOf(search, word)`. */
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

/** Selects the keys of records that refer to others with a rare word in their name. */
function reaching(search: Search, asked: Asked): Sql[] {
  return search.of.through.flatMap(([column, other]) => {
    const ids = candidatesByName(search, other, asked);
    return ids.length === 0 ? [] : [keysBy(search, column, ids)];
  });
}
