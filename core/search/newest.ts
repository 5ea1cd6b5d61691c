// The newest records that have several common words, found by comparing who has each of them, block by block.
import type { Context } from '../plugin/context.ts';
import { joined, sql, type Sql } from '../database/sql.ts';
import { idsOf, placesIn, withPlaces } from './id-list.ts';
import { candidates, heldBy, type Asked, type Search } from './match.ts';

/** Words of the index that a word may stand in; with more of them most records have it. */
export const MOST_WORDS = 3000;
/** With more words than this in all, every block is read at once: most of them are of one record each. */
const WIDE = 64;
/** Blocks of the first statement; each further one reads twice as many. */
const FIRST = 4;
/** Rows of one statement at most. */
const MOST_ROWS = 512;

export interface Newest {
  /** Newest first; one more than `most` at most. */
  readonly ids: readonly number[];
  /** These are all of them. */
  readonly complete: boolean;
  /** Every one of them has every word. */
  readonly sure: boolean;
}

interface Reading {
  readonly search: Search;
  readonly words: readonly Asked[];
  readonly sure: boolean;
  readonly ids: number[];
  /** The next block, from which it goes down. */
  next: number;
  blocks: number;
}

/**
 * For each search, up to `most + 1` of the newest records whose own texts have all words as far as those can be compared. A
 * search is left out where all of its words stand in too many others, or where one is in the name of something referred to.
 * @param top the highest record id of the index, by table
 * @param having what follows SELECT for the rows of a word in a table
 */
export async function readNewestWithAll<S extends Search>(
  ctx: Context,
  searches: readonly S[],
  { most, top, having }: { most: number; top: (search: S) => number; having: (type: string, word: string) => Sql },
): Promise<ReadonlyMap<S, Newest>> {
  const all = searches.flatMap((search) => {
    const words = comparable(search);
    if (words.length === 0 || search.words.some((each) => isNamed(search, each))) return [];
    const sure = words.length === search.words.length && search.depth === 'more';
    const next = top(search);
    const reading: Reading = {
      search,
      words,
      sure,
      ids: [],
      next,
      blocks: wide(search, words) > WIDE ? next + 1 : FIRST,
    };
    return [{ key: search, reading }];
  });
  const isOpen = ({ next, ids }: Reading) => next >= 0 && ids.length <= most;
  for (;;) {
    const open = all.map(({ reading }) => reading).filter(isOpen);
    if (open.length === 0) break;
    await readOn(ctx, open, having);
  }
  return new Map(
    all.map(({ key, reading: { ids, sure } }) => [
      key,
      { ids: ids.slice(0, most + 1), complete: ids.length <= most, sure },
    ]),
  );
}

/** The words that stand in few others, as long as those are not too many together. */
function comparable({ words, of: { table } }: Search): Asked[] {
  let sum = 0;
  return words
    .toSorted((a, b) => heldBy(a, table).words - heldBy(b, table).words)
    .filter((each) => (sum += heldBy(each, table).words) <= MOST_WORDS);
}

function wide({ of: { table } }: Search, words: readonly Asked[]): number {
  return words.reduce((sum, each) => sum + heldBy(each, table).words, 0);
}

/** Whether the name of something that the records refer to may have the word. */
function isNamed(search: Search, asked: Asked): boolean {
  return search.of.through.some(
    ([, other]) => heldBy(asked, other).n > 0 || candidates(search, other, asked).judged.length > 0,
  );
}

async function readOn(ctx: Context, open: readonly Reading[], having: (type: string, word: string) => Sql) {
  const reading = open.flatMap(({ search, words, next, blocks }, i) =>
    words.map(
      ({ word }, w) => sql`SELECT ${i} AS which, ${w} AS w, block, ids ${having(search.of.table.name, word)}
        AND search_word.block > ${next - blocks} AND search_word.block <= ${next}`,
    ),
  );
  const rows = await ctx.db.query<{ which: unknown; w: unknown; block: unknown; ids: string }>(
    joined(reading, ' UNION ALL '),
  );
  const byReading = Map.groupBy(rows, ({ which }) => Number(which));
  for (const [i, each] of open.entries()) {
    const byBlock = Map.groupBy(byReading.get(i) ?? [], ({ block }) => Number(block));
    for (let block = each.next; block > Math.max(-1, each.next - each.blocks); block--)
      each.ids.push(...idsWithAll(block, byBlock.get(block) ?? [], each.words.length).reverse());
    each.next -= each.blocks;
    const rows = Math.max(1, wide(each.search, each.words));
    each.blocks = Math.max(FIRST, Math.min(each.blocks * 2, Math.floor(MOST_ROWS / rows)));
  }
}

/** The ids of a block that all words have; a word has those of each word of the index in which it stands. */
function idsWithAll(block: number, rows: readonly { w: unknown; ids: string }[], words: number): number[] {
  const byWord = Map.groupBy(rows, ({ w }) => Number(w));
  if (byWord.size < words) return [];
  const [first, ...others] = [...byWord.values()].map((its) => withPlaces(its.map(({ ids }) => ids)));
  if (!first) return [];
  for (const bits of others) for (let i = 0; i < first.length; i++) first[i] = (first[i] ?? 0) & (bits[i] ?? 0);
  return idsOf(block, placesIn(first));
}
