// Suggests corrections for misspelt words: index words that differ by at most two letters, from records that the caller
// may see. A search for them would find them, so they reveal nothing new.
import { joined, sql, type Sql } from '@keelson/database/statement/sql.ts';
import { distance } from 'fastest-levenshtein';
import type { Context } from '../../plugin/context.ts';
import { planEach } from '../matching/search-plan.ts';
import { beginsWith } from '../matching/vocabulary.ts';
import { WHOLE } from '../points.ts';
import type { Type } from '../search-sources.ts';
import { readHits } from './hits.ts';

/** Words of a query to check. */
const MOST_ASKED = 3;
/** Similar words to try for each, most similar first. */
const MOST_TRIED = 10;
const MOST_SUGGESTED = 5;
/** Shorter words resemble too many others. */
const SHORTEST = 4;
/** Shorter words may differ by one letter only. */
const LONG = 6;
/** Vocabulary entries to read for each part of a word. */
const MOST_READ = 1500;
const MOST_KEPT = 300;

/** For a search without results, returns words similar to those that occur nowhere, most similar first. */
export async function suggestWords(ctx: Context, types: readonly Type[], words: readonly string[]): Promise<string[]> {
  const asked = words.filter((each) => Array.from(each).length >= SHORTEST).slice(0, MOST_ASKED);
  if (types.length === 0 || asked.length === 0) return [];
  // A single word without results has no hits.
  const missing = words.length === 1 ? asked : await withoutHits(ctx, types, asked);
  const similar = await readSimilar(ctx, types, missing);
  const seen = await withWholeHits(ctx, types, similar);
  return similar.filter((each) => seen.has(each)).slice(0, MOST_SUGGESTED);
}

async function withoutHits(ctx: Context, types: readonly Type[], words: readonly string[]): Promise<string[]> {
  const found = await hitsOf(ctx, types, words);
  return words.filter((each) => !found.some(({ word, total }) => word === each && total > 0));
}

async function withWholeHits(
  ctx: Context,
  types: readonly Type[],
  words: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await hitsOf(ctx, types, words);
  return new Set(found.filter(({ points }) => points === WHOLE).map(({ word }) => word));
}

/** Returns the points of the best hit and the number of hits, for each word in each type. */
async function hitsOf(ctx: Context, types: readonly Type[], words: readonly string[]) {
  const wanted = types.map(({ searchable, found }) => ({ of: searchable, depth: found.depth ?? 'more' }));
  const planned = await planEach(ctx, wanted, words);
  const searches = planned.flatMap((each, w) =>
    types.flatMap(({ found }, i) => (each[i] ? [{ ...each[i], found, word: words[w] ?? '' }] : [])),
  );
  const hits = await readHits(ctx, searches, 1);
  return searches.map(({ word }, i) => ({
    word,
    total: hits[i]?.total ?? 0,
    points: hits[i]?.best[0]?.points ?? 0,
  }));
}

/** Returns index words similar to any of these, most similar first. */
async function readSimilar(ctx: Context, types: readonly Type[], words: readonly string[]): Promise<string[]> {
  if (words.length === 0) return [];
  const tables = [...new Set(types.map(({ searchable }) => searchable.table.name))];
  const reading = words.flatMap((word, w) => tables.flatMap((type) => reads(ctx, type, word, w)));
  const rows = await ctx.db.query<{ which: unknown; word: string }>(joined(reading, ' UNION '));
  return words.flatMap((word, w) => {
    const own = new Set(rows.filter(({ which }) => Number(which) === w).map((each) => each.word));
    const near = [...own].map((each) => ({ each, away: distance(word, each) }));
    return near
      .filter(({ each, away }) => each !== word && away <= mostAway(word))
      .toSorted((a, b) => a.away - b.away || (a.each < b.each ? -1 : 1))
      .slice(0, MOST_TRIED)
      .map(({ each }) => each);
  });
}

function mostAway(word: string): number {
  return Array.from(word).length < LONG ? 1 : 2;
}

/**
 * Selects the words of a table that share a part with this one. A word that differs by one letter shares one of its
 * halves; by two letters, one of its thirds.
 */
function reads({ db }: Context, type: string, word: string, which: number): Sql[] {
  const letters = Array.from(word);
  const away = mostAway(word);
  const length = db.dialect === 'mysql' ? sql`CHAR_LENGTH(word)` : sql`LENGTH(word)`;
  const parts = away === 1 ? partsOf(letters, 2) : [...partsOf(letters, 2), ...partsOf(letters, 3)];
  return parts.map(
    (part) => sql`SELECT ${which} AS which, word FROM (SELECT word FROM (SELECT word FROM search_ending
        WHERE type = ${type} AND ${beginsWith(sql`ending`, part)} LIMIT ${MOST_READ}) AS some
      WHERE ${length} BETWEEN ${letters.length - away} AND ${letters.length + away} LIMIT ${MOST_KEPT}) AS fitting`,
  );
}

function partsOf(letters: readonly string[], n: number): string[] {
  return Array.from({ length: n }, (_, i) =>
    letters.slice(Math.floor((i * letters.length) / n), Math.floor(((i + 1) * letters.length) / n)).join(''),
  );
}
