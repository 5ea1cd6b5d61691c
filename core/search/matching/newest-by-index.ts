// Finds the newest records that have several common words by intersecting their bitmaps block by block.
import type { Context } from '../../plugin/context.ts';
import { BLOCK, blockOf, idsOf, placesIn } from '../id-list.ts';
import { readBits } from './bits.ts';
import { comparable, type Among, type Comparable } from './comparable.ts';
import type { Planned } from './search-plan.ts';

/** Above this many rows per block, read all blocks at once: most of the words occur in one block only. */
const WIDE = 64;
/** Blocks read by the first statement; each later one doubles. */
const FIRST = 16;
/** The same when facets narrow the search to few records. */
const FIRST_OF_FEW = 256;
/** Maximum rows per statement. */
const MOST_ROWS = 1024;

/** Scans the records that have the words of a search, newest first. */
export interface Newest extends Comparable {
  readonly search: Planned;
  /** The ids found so far, newest first. */
  ids: number[];
  /** All blocks are read. */
  readonly ended: boolean;
  /** The next block, counting down, and the number of blocks to read at once. */
  next: number;
  blocks: number;
}

/**
 * Starts a scan of the newest records that have all comparable words of each search. Skips a search without
 * comparable words: all of its words occur in too many records, or in names that too many records refer to.
 */
export async function openNewest<S extends Planned>(
  ctx: Context,
  searches: readonly S[],
  options: Among = {},
): Promise<ReadonlyMap<S, Newest>> {
  const opened = new Map<S, Newest>();
  for (const search of searches) {
    const reading = await open(ctx, search, options);
    if (reading) opened.set(search, reading);
  }
  return opened;
}

/** Continues the scan until there are more than `most` ids, or to the end. */
export async function readOn(ctx: Context, all: Iterable<Newest>, most: number): Promise<void> {
  const readings = [...all];
  for (;;) {
    const unfinished = readings.filter((each) => !each.ended && each.ids.length <= most);
    if (unfinished.length === 0) return;
    await readBlocks(ctx, unfinished, most);
  }
}

/** Returns the share of the records read so far that matched. */
export function shareOf({ search, next, ids }: Newest): number {
  return ids.length / ((blockOf(search.top) - next) * BLOCK);
}

async function open(ctx: Context, search: Planned, among: Among): Promise<Newest | undefined> {
  const compared = await comparable(ctx, search, among);
  if (!compared) return undefined;
  const { rows } = compared;
  const next = blockOf(search.top);
  const reading: Newest = {
    ...compared,
    search,
    ids: [],
    next,
    blocks: rows > WIDE ? next + 1 : blocksOf(among.facets ? FIRST_OF_FEW : FIRST, rows),
    get ended(): boolean {
      return reading.next < 0;
    },
  };
  return reading;
}

async function readBlocks(ctx: Context, open: readonly Newest[], most: number): Promise<void> {
  const wanted = open.map(({ words, next, blocks }) => ({ words, from: Math.max(0, next - blocks + 1), to: next }));
  const bits = await readBits(ctx, wanted);
  for (const [i, each] of open.entries()) {
    const { from = 0 } = wanted[i] ?? {};
    for (; each.next >= from && each.ids.length <= most; each.next--) {
      const its = bits[i]?.(each.next);
      if (its) each.ids.push(...idsOf(each.next, placesIn(its)).reverse());
    }
    each.blocks = blocksOf(each.blocks * 2, each.rows);
  }
}

function blocksOf(wanted: number, rows: number): number {
  return Math.max(FIRST, Math.min(wanted, Math.floor(MOST_ROWS / Math.max(1, rows))));
}
