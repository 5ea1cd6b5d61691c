// The newest records in which common words stand by themselves.
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
  const places = common.map((search) => ({ type: search.of.table.name, word: longest(search).word }));
  const found = await readPlaces(ctx, places, most);
  return new Map(common.map((search, i) => [search, found[i] ?? []]));
}

/** For each word the newest records of a table in which it is a whole word, newest first. One statement at most. */
export async function readNewest(
  ctx: Context,
  type: string,
  words: readonly Asked[],
  most: number,
): Promise<ReadonlyMap<Asked, readonly number[]>> {
  const found = await readPlaces(
    ctx,
    words.map(({ word }) => ({ type, word })),
    most,
  );
  return new Map(words.map((each, i) => [each, found[i] ?? []]));
}

interface Place {
  readonly type: string;
  readonly word: string;
}

async function readPlaces(ctx: Context, places: readonly Place[], most: number): Promise<number[][]> {
  if (places.length === 0) return [];
  const reading = places.map(
    ({ type, word }, i) => sql`SELECT ${i} AS which, block, ids FROM (SELECT block, ids FROM search_word
      WHERE type = ${type} AND word = ${word} ORDER BY block DESC LIMIT ${MOST_BLOCKS}) AS newest`,
  );
  const rows = await ctx.db.query<{ which: unknown; block: unknown; ids: string }>(joined(reading, ' UNION ALL '));
  return places.map((_, i) => {
    const own = rows.filter(({ which }) => Number(which) === i);
    const ids = own.flatMap(({ block, ids: its }) => idsIn(Number(block), its));
    return ids.toSorted((a, b) => b - a).slice(0, most);
  });
}

function longest({ words: [first, ...others] }: Search): Asked {
  if (!first) throw new Error('A search has words');
  return others.reduce((best, each) => (each.word.length > best.word.length ? each : best), first);
}
