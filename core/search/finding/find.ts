// The global search: the best matches across several tables, each as its surface shows it, limited to records that the
// caller may see.
import { codeOf, searchedWords, withoutZeros } from '@keelson/kit/normal.ts';
import { EXACT } from '@keelson/list/common.ts';
import { In } from 'typeorm';
import type { Context } from '../../plugin/context.ts';
import { show } from '../../record/show.ts';
import type { SearchOf } from '../matching/newest-by-text.ts';
import type { Hit } from '../matching/score.ts';
import { planSearches } from '../matching/search-plan.ts';
import { readHaving } from '../matching/whole-words.ts';
import { WHOLE } from '../points.ts';
import { typesFor, type TypesAsked } from '../search-sources.ts';
import { readHits } from './hits.ts';
import { suggestWords } from './suggest.ts';

export interface SearchRequest extends TypesAsked {
  readonly q: string;
  /** Maximum results per type. */
  readonly limit: number;
}

export interface SearchResult {
  readonly type: string;
  readonly id: number;
  /** 0 to 1, with two decimals: 1 when every word is a whole word of the record (C-27). */
  readonly score: number;
  readonly title: string;
  readonly subtitle: string;
  /** The record as the surface shows it. */
  readonly shown: Readonly<Record<string, unknown>>;
}

export interface SearchResults {
  /** By requested type name; empty for types that the caller may not search. */
  readonly types: ReadonlyMap<string, readonly SearchResult[]>;
  /** All matches including those not returned, up to 1000. */
  readonly total: number;
  /** There are more matches than counted. */
  readonly capped: boolean;
  /** If nothing was found: words similar to those that occur nowhere, within what the caller may see. */
  readonly suggestions: readonly string[];
}

/**
 * Returns the best matches of each type: first a record whose own number is the text, then whole words before prefixes
 * before substrings, then newer before older.
 * @throws invalid() for an unknown type; forbidden() when the caller may search none of them
 */
export async function findRecords(ctx: Context, asked: SearchRequest): Promise<SearchResults> {
  const { asked: names, types } = await typesFor(ctx, asked);
  const words = searchedWords(asked.q);
  const wanted = words.length === 0 ? [] : types;
  const planned = await planSearches(
    ctx,
    wanted.map(({ searchable, found }) => ({ of: searchable, depth: found.depth ?? 'more' })),
    words,
  );
  const codes = codesIn(asked.q);
  const first = await readHaving(ctx, planned, codes.map(codeOf));
  const searches = wanted.flatMap(({ found }, i): SearchOf[] =>
    planned[i] ? [{ ...planned[i], found, first: first[i] ?? [] }] : [],
  );
  const hits = await readHits(ctx, searches, codes.length === 0 ? asked.limit : Math.max(asked.limit, COMPARED));
  const results = new Map<string, SearchResult[]>(names.map((each) => [each, []]));
  let total = 0;
  for (const [i, search] of searches.entries()) {
    const { best, total: own } = hits[i] ?? { best: [], total: 0 };
    total += own;
    if (best.length > 0)
      results.set(search.found.type, await readResults(ctx, search, best, { codes, limit: asked.limit }));
  }
  const suggestions = total === 0 ? await suggestWords(ctx, wanted, words) : [];
  return { types: results, total: Math.min(total, EXACT), capped: total > EXACT, suggestions };
}

/** Number of matches to check for one whose own number equals the text. */
const COMPARED = 50;
/** Longer texts are not numbers. */
const LONGEST_CODE = 40;

/** Ignores separators, except the dots of an IP address. */
const keyOf = (text: string): string => (/^[\d.]+$/.test(text) ? text : codeOf(text));

/** Returns the text as a number, an address or a serial number, with and without the zeros of `INV-000002`. */
function codesIn(q: string): readonly string[] {
  const text = q.trim();
  return text.length <= LONGEST_CODE && /\d/.test(text) ? [...new Set([keyOf(text), keyOf(withoutZeros(text))])] : [];
}

/** How exactly a column matches one of the codes: 2 as written, 1 apart from leading zeros, otherwise 0. */
function exactness(value: unknown, [written, plain]: readonly string[]): number {
  if (typeof value !== 'string' && typeof value !== 'number') return 0;
  const text = `${value}`;
  if (text.length > LONGEST_CODE) return 0;
  if (keyOf(text) === written) return 2;
  return keyOf(withoutZeros(text)) === (plain ?? written) ? 1 : 0;
}

interface Best {
  readonly codes: readonly string[];
  readonly limit: number;
}

async function readResults(
  ctx: Context,
  { of, found, words }: SearchOf,
  hits: readonly Hit[],
  { codes, limit }: Best,
): Promise<SearchResult[]> {
  const { table, options } = of;
  const rows: Record<string, unknown>[] = await ctx.db.findBy(table, { [table.primary]: In(hits.map(({ id }) => id)) });
  const exact = new Map(
    rows.map((row) => [
      Number(row[table.primary]),
      Math.max(0, ...of.columns.map(([column]) => exactness(row[column], codes))),
    ]),
  );
  const best = hits.toSorted((a, b) => (exact.get(b.id) ?? 0) - (exact.get(a.id) ?? 0)).slice(0, limit);
  const chosen = new Set(best.map(({ id }) => id));
  const living = rows.filter((row) => (row['deleted_at'] ?? null) === null && chosen.has(Number(row[table.primary])));
  const shown: readonly object[] = await show(ctx, found.view, living);
  const byId = new Map(living.map((row, i) => [Number(row[table.primary]), { row, shown: shown[i] ?? {} }]));
  return best.flatMap(({ id, points }) => {
    const each = byId.get(id);
    if (!each) return [];
    return {
      type: found.type,
      id,
      score: Math.round((points / (WHOLE * words.length)) * 100) / 100,
      title: options.title(each.row),
      subtitle: options.subtitle?.(each.row) ?? '',
      shown: { ...each.shown },
    };
  });
}
