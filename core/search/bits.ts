// The bits of blocks of records, of which those remain that all words have.
import type { Context } from '../plugin/context.ts';
import { joined, listed, sql } from '../database/sql.ts';
import type { Compared } from './comparable.ts';
import { both, setPlaces, withPlaces, type Bits } from './id-list.ts';
import type { NewestRows } from './match.ts';
import type { Term } from './terms.ts';

/** Words, and the blocks in which they are wanted. */
export interface Wanted {
  readonly words: readonly Compared[];
  /** The lowest and the highest. */
  readonly from: number;
  readonly to: number;
  /** Only these of them. */
  readonly only?: readonly number[];
}

interface Row {
  readonly which: unknown;
  readonly word: unknown;
  readonly term: unknown;
  readonly block: unknown;
  readonly ids: string;
}

/** The bits of those records of a block that have all words. */
export type BitsOf = (block: number) => Bits;

/** For each of several searches, the bits of its blocks. One statement at most. */
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

/** The rows of a term, where they were read with the words (counts.ts). */
function knownOf({ newest }: Term, { from, to }: Wanted): NewestRows['rows'] | undefined {
  return newest && newest.from <= from ? newest.rows.filter(({ block }) => block >= from && block <= to) : undefined;
}

function blocksSql({ from, to, only }: Wanted) {
  return only ? sql`search_word.block IN ${listed(only)}` : sql`search_word.block BETWEEN ${from} AND ${to}`;
}

/** A word has the bits of each word of the index in which it stands. */
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
