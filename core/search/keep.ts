// Which of the records of a list have the words of a search: by the bits of the index where those tell it, or else by their
// texts.
import type { Context } from '../plugin/context.ts';
import { joined, listed, sql } from '../database/sql.ts';
import type { Keep } from '../list/common.ts';
import { comparable, rowsOf, withAll, type BitsRow, type Comparable } from './comparable.ts';
import { blockOf, hasPlace } from './id-list.ts';
import { keysBy } from './match.ts';
import type { Planned } from './plan.ts';
import { readScores } from './score.ts';

/** To compare the texts of a record for one word costs about as much as to read so many rows of the index. */
const TEXT = 1;

/** Tells which of some records have every word of a search. */
export async function keeper(ctx: Context, search: Planned): Promise<Keep> {
  const words = await comparable(ctx, search);
  const bits = new Map<number, Uint8Array>();
  const changed = search.pending.get(search.of.table.name);
  return async (ids) => {
    const wanted = [...new Set(ids.map(blockOf))].filter((block) => !bits.has(block));
    if (!words || wanted.length * words.rows > ids.length * search.words.length * TEXT)
      return byTexts(ctx, search, ids);
    if (wanted.length > 0) await readBits(ctx, words, wanted, bits);
    const have = ids.filter((id) => changed?.has(id) || hasPlace(bits.get(blockOf(id)) ?? NONE, id));
    if (!words.sure) return byTexts(ctx, search, have);
    const open = have.filter((id) => changed?.has(id));
    const judged = await byTexts(ctx, search, open);
    return new Set(have.filter((id) => !changed?.has(id) || judged.has(id)));
  };
}

const NONE = new Uint8Array();

async function readBits(ctx: Context, { words }: Comparable, blocks: readonly number[], bits: Map<number, Uint8Array>) {
  const statements = rowsOf(words, 0, sql`search_word.block IN ${listed(blocks)}`);
  const rows = await ctx.db.query<BitsRow>(joined(statements, ' UNION ALL '));
  const byBlock = Map.groupBy(rows, ({ block }) => Number(block));
  for (const block of blocks) bits.set(block, withAll(block, byBlock.get(block) ?? [], words));
}

async function byTexts(ctx: Context, search: Planned, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const [scored] = await readScores(ctx, [{ search, keys: keysBy(search, search.of.table.primary, ids) }]);
  return new Set(scored?.hits.map(({ id }) => id));
}
