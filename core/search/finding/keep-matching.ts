// Determines which records of a list have the words of a search: by index bits if possible, otherwise by text.
import type { Keep } from '@keelson/list/common.ts';
import type { Filter } from '@keelson/list/list.ts';
import type { Context } from '../../plugin/context.ts';
import { facetsAsked } from '../facets.ts';
import { blockOf, hasPlace } from '../id-list.ts';
import { readBits } from '../matching/bits.ts';
import { keysBy } from '../matching/match.ts';
import { openNewest, readOn, shareOf, type Newest } from '../matching/newest-by-index.ts';
import { readScores } from '../matching/score.ts';
import type { Planned } from '../matching/search-plan.ts';

/** Cost of comparing one record's text for one word, in index rows read. */
const TEXT = 1;

/**
 * Creates the check for records that have every word of a search.
 * @param newest the words already read, if the index can compare them
 */
export function keeper(ctx: Context, search: Planned, newest: Newest | undefined): Keep {
  const bits = new Map<number, Uint8Array>();
  const changed = search.pending.get(search.of.table.name);
  const settle = async (have: readonly number[]) => {
    const judged = await byTexts(
      ctx,
      search,
      have.filter((id) => changed?.has(id)),
    );
    return new Set(have.filter((id) => !changed?.has(id) || judged.has(id)));
  };
  return {
    share: newest?.sure ? shareOf(newest) : 0,
    async among(ids) {
      const wanted = [...new Set(ids.map(blockOf))].filter((block) => !bits.has(block));
      if (!newest || wanted.length * newest.rows > ids.length * search.words.length * TEXT)
        return byTexts(ctx, search, ids);
      const [its] = wanted.length === 0 ? [] : await readBits(ctx, [{ words: newest.words, ...blocksIn(wanted) }]);
      if (its) for (const block of wanted) bits.set(block, its(block));
      const have = ids.filter((id) => changed?.has(id) || hasPlace(bits.get(blockOf(id)) ?? NONE, id));
      return newest.sure ? settle(have) : byTexts(ctx, search, have);
    },
    async all(where, most) {
      const ids = await readAll(ctx, search, where, most);
      return ids && [...(await settle([...new Set([...ids, ...(changed?.keys() ?? [])])]))];
    },
  };
}

const NONE = new Uint8Array();

/** Returns the records with all words that meet the conditions, as far as the index has facets for those. */
async function readAll(
  ctx: Context,
  search: Planned,
  where: readonly Filter[],
  most: number,
): Promise<readonly number[] | undefined> {
  const facets = facetsAsked(search.of, where);
  if (facets.length === 0) return undefined;
  const newest = (await openNewest(ctx, [search], { facets, where })).get(search);
  if (!newest?.sure) return undefined;
  await readOn(ctx, [newest], most);
  return newest.ended && newest.ids.length <= most ? newest.ids : undefined;
}

function blocksIn(blocks: readonly number[]) {
  return { from: Math.min(...blocks), to: Math.max(...blocks), only: blocks };
}

async function byTexts(ctx: Context, search: Planned, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const [scored] = await readScores(ctx, [{ search, keys: keysBy(search, search.of.table.primary, ids) }]);
  return new Set(scored?.hits.map(({ id }) => id));
}
