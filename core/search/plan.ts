// Prepares a search: which records are judged by hand, which words of the index the words stand in, and how rare they are.
// Two statements, where nothing waits for the index.
import type { Context } from '../plugin/context.ts';
import { joined, sql } from '../database/sql.ts';
import { beginsWith, holders, type Asked, type Search } from './match.ts';
import { judge, newestUnindexed, type Pending } from './pending.ts';
import type { Depth, Searchable } from './searchable.ts';
import { searchableOf } from './sources.ts';

/** A word of more records than this is common: records are gone through until enough are found, instead of collected. */
export const COMMON = 1000;
/** Words of the index that are listed for a word that stands in them. */
const MOST_LISTED = 20;

export interface Wanted {
  readonly of: Searchable;
  readonly depth: Depth;
}

export interface Planned extends Search {
  /** The rarest of the words, from which to start; undefined when all are common. */
  readonly rarest: Asked | undefined;
}

/** Plans the search for the same words in some tables; in the same order. */
export async function planSearches(
  ctx: Context,
  wanted: readonly Wanted[],
  words: readonly string[],
): Promise<Planned[]> {
  if (wanted.length === 0 || words.length === 0) return [];
  const { dialect } = ctx.db;
  const { asked, pending } = await readWords(ctx, involved(ctx, wanted), words);
  const searches = wanted.map(({ of, depth }) => ({ dialect, of, words: asked, depth, pending }));
  const counts = searches.flatMap((search, i) =>
    asked.map(
      (each, w) => sql`SELECT ${`${i} ${w}`} AS place, COUNT(*) AS held
        FROM (${holders(search, each, COMMON + 1)}) AS holding`,
    ),
  );
  const rows = await ctx.db.query<{ place: string; held: unknown }>(joined(counts, ' UNION ALL '));
  const heldBy = new Map(rows.map(({ place, held }) => [place, Number(held)]));
  return searches.map((search, i) => {
    const [first] = asked
      .map((each, w) => ({ each, held: heldBy.get(`${i} ${w}`) ?? 0 }))
      .toSorted((a, b) => a.held - b.held);
    return { ...search, rarest: first && first.held <= COMMON ? first.each : undefined };
  });
}

async function readWords(
  ctx: Context,
  tables: readonly Searchable[],
  words: readonly string[],
): Promise<{ asked: Asked[]; pending: Pending }> {
  const vocabulary = words.map(
    (word, w) => sql`SELECT word AS what, ${w} AS which FROM (SELECT word FROM search_ending
      WHERE ${beginsWith(sql`ending`, word)} LIMIT ${MOST_LISTED + 1}) AS found`,
  );
  const rows = await ctx.db.query<{ what: string; which: unknown }>(
    sql`${joined(vocabulary, ' UNION ALL ')} UNION ALL
      SELECT type, -id FROM (${newestUnindexed(tables)}) AS changed`,
  );
  const found = rows.map(({ what, which }) => ({ what, which: Number(which) }));
  const changed = found.filter(({ which }) => which < 0).map(({ what, which }) => ({ type: what, id: -which }));
  const asked = words.map((word, w) => {
    const own = found.filter(({ which }) => which === w).map(({ what }) => what);
    return { word, vocabulary: own.length <= MOST_LISTED ? [...new Set(own)] : undefined };
  });
  return { asked, pending: await judge(ctx, tables, changed) };
}

/** These tables and those by whose names their records are found. */
function involved({ app }: Context, wanted: readonly Wanted[]): Searchable[] {
  const all = wanted.flatMap(({ of }) => [of, ...of.through.map(([, table]) => searchableOf(app, table))]);
  return [...new Set(all)];
}
