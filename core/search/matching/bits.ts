// Reads blocks of records as bitmaps and intersects those of all words.
import { joined, listed, sql } from '@keelson/database/statement/sql.ts';
import type { Context } from '../../plugin/context.ts';
import { both, setPlaces, withPlaces, type Bits } from '../id-list.ts';
import type { Compared } from './comparable.ts';
import type { NewestRows } from './match.ts';
import type { Term } from './word-rows.ts';

/** Words, and the blocks to read for them. */
export interface Wanted {
  readonly words: readonly Compared[];
  /** The lowest and the highest block. */
  readonly from: number;
  readonly to: number;
  /** Reads only these blocks of the range. */
  readonly only?: readonly number[];
}

interface Row {
  readonly which: unknown;
  readonly word: unknown;
  readonly term: unknown;
  readonly block: unknown;
  readonly ids: string;
}

/** Returns the bits of a block's records that have all words. */
export type BitsOf = (block: number) => Bits;

/** Reads the bits of several searches by block. One statement at most. */
export async function readBits(ctx: Context, wanted: readonly Wanted[]): Promise<BitsOf[]> {
  const places = wanted.flatMap((each, which) =>
    each.words.flatMap(({ terms }, word) =>
      terms.map((its, term) => ({ which, word, term, each, from: its.from, known: knownOf(its, each) })),
    ),
  );
  const selects = places
    .filter(({ known }) => !known)
    .map(
      ({ which, word, term, each, from }) => sql`SELECT ${which} AS which, ${word} AS word, ${term} AS term, block, ids
        ${from} AND ${blocksSql(each)}`,
    );
  const rows = selects.length === 0 ? [] : await ctx.db.query<Row>(joined(selects, ' UNION ALL '));
  for (const { which, word, term, known = [] } of places)
    rows.push(...known.map((row) => ({ which, word, term, ...row })));
  const byWhich = Map.groupBy(rows, ({ which }) => Number(which));
  return wanted.map(({ words }, i) => {
    const byBlock = Map.groupBy(byWhich.get(i) ?? [], ({ block }) => Number(block));
    return (block) => withAll(block, byBlock.get(block) ?? [], words);
  });
}

/** Returns a term's rows if they were already read with the words (counts.ts). */
function knownOf({ newest }: Term, { from, to }: Wanted): NewestRows['rows'] | undefined {
  return newest && newest.from <= from ? newest.rows.filter(({ block }) => block >= from && block <= to) : undefined;
}

function blocksSql({ from, to, only }: Wanted) {
  return only ? sql`search_word.block IN ${listed(only)}` : sql`search_word.block BETWEEN ${from} AND ${to}`;
}

/** Combines the words of a block: a word has the bits of every index entry that contains it. */
function withAll(block: number, rows: readonly Row[], words: readonly Compared[]): Bits {
  const byWord = Map.groupBy(rows, ({ word }) => Number(word));
  return words
    .map(({ terms, named }, w) => {
      const byTerm = Map.groupBy(byWord.get(w) ?? [], ({ term }) => Number(term));
      const bits = terms.map((_, t) => withPlaces(byTerm.get(t)?.map(({ ids }) => ids) ?? [])).reduce(both);
      setPlaces(bits, named.get(block) ?? []);
      return bits;
    })
    .reduce(both);
}
