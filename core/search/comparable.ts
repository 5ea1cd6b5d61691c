// The words of a search that are compared by the index alone: bits of blocks of records, of which those remain that all words
// have.
import type { Context } from '../plugin/context.ts';
import { sql, type Sql } from '../database/sql.ts';
import { COMMON, MOST_WORDS } from './counts.ts';
import { setPlaces, withPlaces } from './id-list.ts';
import { heldBy, type Search } from './match.ts';
import { readNamed } from './named.ts';
import type { Planned } from './plan.ts';
import { weights } from './searchable.ts';
import { termsOf, type Term } from './terms.ts';

export interface Compared {
  readonly terms: readonly Term[];
  /** Records that refer to others with the word in their name. */
  readonly named: readonly number[];
}

export interface Comparable {
  readonly words: readonly Compared[];
  /** Rows of a block at most. */
  readonly rows: number;
  /** Whoever has all of these has every word of the search. */
  readonly sure: boolean;
}

/**
 * The words that can be compared; undefined where each stands in too many others, or in the names of what too many refer to.
 * @param own looks in the records' own texts only: who is found by a name is left out
 */
export async function comparable(ctx: Context, search: Planned, own = false): Promise<Comparable | undefined> {
  const { of, words: asked } = search;
  const words: Compared[] = [];
  let rows = 0;
  let sure = search.whole && reachesAll(search);
  for (const each of asked.toSorted((a, b) => heldBy(a, of.table).words - heldBy(b, of.table).words)) {
    const reached = own ? 0 : search.reached(each);
    const found = reached > COMMON ? undefined : termsOf(ctx, search, each);
    const its = found?.terms.reduce((sum, term) => sum + term.rows, 0) ?? 0;
    if (!found || rows + its > MOST_WORDS) {
      sure = false;
      continue;
    }
    rows += its;
    sure &&= found.exact;
    words.push({ terms: found.terms, named: reached > 0 ? await readNamed(ctx, search, each) : [] });
  }
  return words.length === 0 ? undefined : { words, rows, sure };
}

/** Whether the search looks in all texts that the index has. */
function reachesAll({ of: { columns, options }, depth }: Search): boolean {
  return depth === 'more' || (!options.texts && columns.every(([, weight]) => weight >= weights[depth]));
}

export interface BitsRow {
  readonly which: unknown;
  readonly word: unknown;
  readonly term: unknown;
  readonly block: unknown;
  readonly ids: string;
}

/** Selects of the rows of some blocks. */
export function rowsOf(words: readonly Compared[], which: number, blocks: Sql): Sql[] {
  return words.flatMap(({ terms }, w) =>
    terms.map(
      ({ from }, t) => sql`SELECT ${which} AS which, ${w} AS word, ${t} AS term, block, ids ${from} AND ${blocks}`,
    ),
  );
}

/** The bits of the records of a block that all words have; a word has those of each word of the index in which it stands. */
export function withAll(block: number, rows: readonly BitsRow[], words: readonly Compared[]): Uint8Array {
  const byWord = Map.groupBy(rows, ({ word }) => Number(word));
  return words
    .map(({ terms, named }, w) => {
      const byTerm = Map.groupBy(byWord.get(w) ?? [], ({ term }) => Number(term));
      const bits = terms.map((_, t) => withPlaces(byTerm.get(t)?.map(({ ids }) => ids) ?? [])).reduce(both);
      setPlaces(bits, block, named);
      return bits;
    })
    .reduce(both);
}

function both(bits: Uint8Array<ArrayBuffer>, others: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  for (let i = 0; i < bits.length; i++) bits[i] = (bits[i] ?? 0) & (others[i] ?? 0);
  return bits;
}
