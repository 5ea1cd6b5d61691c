// The newest records that have several common words, found by comparing who has each of them, block by block.
import type { Context } from '../plugin/context.ts';
import { joined, sql } from '../database/sql.ts';
import { comparable, rowsOf, withAll, type BitsRow, type Compared } from './comparable.ts';
import { blockOf, idsOf, placesIn } from './id-list.ts';
import type { Planned } from './plan.ts';

/** With more rows of a block than this, every block is read at once: most of the words are in one block only. */
const WIDE = 64;
/** Blocks of the first statement; each further one reads twice as many. */
const FIRST = 4;
/** Rows of one statement at most. */
const MOST_ROWS = 512;

/** Goes through the records with the words of a search, newest first. */
export interface Newest {
  /** Those found last, newest first. */
  ids: number[];
  /** Nothing comes after them. */
  readonly ended: boolean;
  /** Every one of them has every word. */
  readonly sure: boolean;
}

interface Reading extends Newest {
  readonly search: Planned;
  readonly words: readonly Compared[];
  /** Rows of a block at most. */
  readonly rows: number;
  /** The next block, from which it goes down. */
  next: number;
  blocks: number;
}

/**
 * For each search, the newest records that have all words as far as those can be compared. A search is left out where none
 * of its words can be: each stands in too many others, or in the names of what too many records refer to.
 * @param own looks in the records' own texts only: who is found by a name is left out
 */
export async function openNewest<S extends Planned>(
  ctx: Context,
  searches: readonly S[],
  own = false,
): Promise<ReadonlyMap<S, Newest>> {
  const opened = new Map<S, Newest>();
  for (const search of searches) {
    const reading = await open(ctx, search, own);
    if (reading) opened.set(search, reading);
  }
  return opened;
}

/** Goes on until there are more than `most` ids, or the end. */
export async function readOn(ctx: Context, all: Iterable<Newest>, most: number): Promise<void> {
  // They are made here and nowhere else.
  const readings = [...all] as Reading[];
  for (;;) {
    const unfinished = readings.filter((each) => !each.ended && each.ids.length <= most);
    if (unfinished.length === 0) return;
    await readBlocks(ctx, unfinished);
  }
}

async function open(ctx: Context, search: Planned, own: boolean): Promise<Reading | undefined> {
  const compared = await comparable(ctx, search, own);
  if (!compared) return undefined;
  const { words, rows, sure } = compared;
  const next = blockOf(search.top);
  const reading: Reading = {
    search,
    words,
    rows,
    sure,
    ids: [],
    next,
    blocks: rows > WIDE ? next + 1 : FIRST,
    get ended(): boolean {
      return reading.next < 0;
    },
  };
  return reading;
}

async function readBlocks(ctx: Context, open: readonly Reading[]): Promise<void> {
  const reading = open.flatMap(({ words, next, blocks }, i) =>
    rowsOf(words, i, sql`search_word.block > ${next - blocks} AND search_word.block <= ${next}`),
  );
  const rows = await ctx.db.query<BitsRow>(joined(reading, ' UNION ALL '));
  const byReading = Map.groupBy(rows, ({ which }) => Number(which));
  for (const [i, each] of open.entries()) {
    const byBlock = Map.groupBy(byReading.get(i) ?? [], ({ block }) => Number(block));
    for (let block = each.next; block > Math.max(-1, each.next - each.blocks); block--)
      each.ids.push(...idsOf(block, placesIn(withAll(block, byBlock.get(block) ?? [], each.words))).reverse());
    each.next -= each.blocks;
    each.blocks = Math.max(FIRST, Math.min(each.blocks * 2, Math.floor(MOST_ROWS / Math.max(1, each.rows))));
  }
}
