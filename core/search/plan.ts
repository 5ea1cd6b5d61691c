// Prepares a search: which records are judged by hand, and how rare the words are. One statement, where nothing waits for
// the index.
import type { Context } from '../plugin/context.ts';
import { joined, sql } from '../database/sql.ts';
import { holders, type Search } from './match.ts';
import { judge, newestUnindexed, type Pending } from './pending.ts';
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
  readonly rarest: string | undefined;
}

/** Plans the search for the same words in some tables; in the same order. */
export async function planSearches(
  ctx: Context,
  wanted: readonly Wanted[],
  words: readonly string[],
): Promise<Planned[]> {
  if (wanted.length === 0 || words.length === 0) return [];
  const { dialect } = ctx.db;
  const tables = involved(ctx, wanted);
  const none: Pending = new Map();
  const rough = wanted.map(({ of, depth }) => ({ dialect, of, words, depth, pending: none }));
  const counts = rough.flatMap((search, i) =>
    words.map(
      (word, w) => sql`SELECT ${`${i} ${w}`} AS type, COUNT(*) AS id
      FROM (${holders(search, word, COMMON + 1)}) AS held`,
    ),
  );
  const rows = await ctx.db.query<{ type: string; id: unknown }>(
    sql`SELECT type, id FROM (${newestUnindexed(tables)}) AS changed UNION ALL ${joined(counts, ' UNION ALL ')}`,
  );
  const found = rows.map(({ type, id }) => ({ type, id: Number(id) }));
  const pending = await judge(ctx, tables, found);
  const heldBy = new Map(found.map(({ type, id }) => [type, id]));
  return rough.map((search, i) => {
    const byCount = words
      .map((word, w) => ({ word, held: heldBy.get(`${i} ${w}`) ?? 0 }))
      .toSorted((a, b) => a.held - b.held);
    const [first] = byCount;
    return { ...search, pending, rarest: first && first.held <= COMMON ? first.word : undefined };
  });
}

/** These tables and those by whose names their records are found. */
function involved({ app }: Context, wanted: readonly Wanted[]): Searchable[] {
  const all = wanted.flatMap(({ of }) => [of, ...of.through.map(([, table]) => searchableOf(app, table))]);
  return [...new Set(all)];
}
