// The newest records in which a common word stands by itself.
import type { Context } from '../plugin/context.ts';
import { joined, sql } from '../database/sql.ts';
import { idsIn } from './id-list.ts';
import type { Asked, Search } from './match.ts';
import type { Planned } from './plan.ts';

/** Blocks of record ids that are looked in. */
const MOST_BLOCKS = 4;

/** For each search of common words, some records in which the longest of them is a whole word. One statement at most. */
export async function readWhole<S extends Planned>(
  ctx: Context,
  searches: readonly S[],
  most: number,
): Promise<ReadonlyMap<S, readonly number[]>> {
  const common = searches.filter(({ rarest }) => rarest === undefined);
  if (common.length === 0) return new Map();
  const reading = common.map(
    (search, i) => sql`SELECT ${i} AS which, block, ids FROM (SELECT block, ids FROM search_word
      WHERE type = ${search.of.table.name} AND word = ${longest(search).word}
      ORDER BY block DESC LIMIT ${MOST_BLOCKS}) AS newest`,
  );
  const rows = await ctx.db.query<{ which: unknown; block: unknown; ids: string }>(joined(reading, ' UNION ALL '));
  return new Map(
    common.map((search, i) => {
      const own = rows.filter(({ which }) => Number(which) === i);
      const ids = own.flatMap(({ block, ids: its }) => idsIn(Number(block), its));
      return [search, ids.toSorted((a, b) => b - a).slice(0, most)];
    }),
  );
}

function longest({ words: [first, ...others] }: Search): Asked {
  if (!first) throw new Error('A search has words');
  return others.reduce((best, each) => (each.word.length > best.word.length ? each : best), first);
}
