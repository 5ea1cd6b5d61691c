// Selects the words of a search that the index alone can compare (bits.ts).
import type { Table } from '@keelson/database/schema/table.ts';
import type { Filter } from '@keelson/list/list.ts';
import type { Context } from '../../plugin/context.ts';
import { blockOf } from '../id-list.ts';
import { weights } from '../searchable.ts';
import { MOST_NAMED, readNamed } from './by-name.ts';
import { COMMON, MOST_WORDS, havingEntries } from './counts.ts';
import { heldBy, type Asked, type Search } from './match.ts';
import type { Planned } from './search-plan.ts';
import { termsOf, type Term } from './word-rows.ts';

export interface Compared {
  readonly terms: readonly Term[];
  /** Records that refer to others with the word in their name, by block. */
  readonly named: ReadonlyMap<number, readonly number[]>;
}

export interface Comparable {
  readonly words: readonly Compared[];
  /** Maximum rows per block. */
  readonly rows: number;
  /** A record that matches all of these has every word of the search. */
  readonly sure: boolean;
}

/** Restricts the records to search. */
export interface Among {
  /** Searches the records' own texts only, not the names of what they refer to. */
  readonly own?: boolean;
  /** Requires one entry of each facet (facets.ts). */
  readonly facets?: readonly (readonly string[])[];
  /** Further conditions on the records. */
  readonly where?: readonly Filter[];
}

/**
 * Returns the words that can be compared. Skips a word that occurs in too many others, or in the names of what too many
 * records refer to; undefined if none remains.
 */
export async function comparable(
  ctx: Context,
  search: Planned,
  { own = false, facets = [], where }: Among = {},
): Promise<Comparable | undefined> {
  const { of, words: asked } = search;
  const words = facets.map((entries): Compared => byFacet(of.table, entries));
  let rows = facets.flat().length;
  let sure = search.whole && reachesAll(search);
  for (const each of asked.toSorted((a, b) => heldBy(a, of.table).words - heldBy(b, of.table).words)) {
    const named = own ? [] : await namedBy(ctx, search, each, where);
    const found = named && termsOf(ctx, search, each);
    const its = found?.terms.reduce((sum, term) => sum + term.rows, 0) ?? 0;
    if (!found || rows + its > MOST_WORDS) {
      sure = false;
      continue;
    }
    rows += its;
    sure &&= found.exact;
    words.push({ terms: found.terms, named: Map.groupBy(named, blockOf) });
  }
  return words.length === facets.length ? undefined : { words, rows, sure };
}

function byFacet({ name: type }: Table, entries: readonly string[]): Compared {
  return { terms: [{ from: havingEntries(type, entries), rows: entries.length }], named: new Map() };
}

/** Returns the records that refer to others with a word in their name; undefined if there are too many. */
async function namedBy(
  ctx: Context,
  search: Planned,
  asked: Asked,
  where: readonly Filter[] | undefined,
): Promise<readonly number[] | undefined> {
  const reached = search.reached(asked);
  if (reached === 0) return [];
  if (reached === Infinity || (reached > COMMON && !where)) return undefined;
  const ids = await readNamed(ctx, search, asked, where);
  return ids.length > MOST_NAMED ? undefined : ids;
}

/** Whether the search covers all indexed texts. */
function reachesAll({ of: { columns, options }, depth }: Search): boolean {
  return depth === 'more' || (!options.texts && columns.every(([, weight]) => weight >= weights[depth]));
}
