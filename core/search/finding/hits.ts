// Finds the best matches in several tables and counts all matches.
import { listed, name, sql, type Sql } from '@keelson/database/statement/sql.ts';
import { EXACT } from '@keelson/list/common.ts';
import { newestFirst } from '@keelson/list/newest-first.ts';
import type { Context } from '../../plugin/context.ts';
import { readNewestNamed } from '../matching/by-name.ts';
import { COMMON } from '../matching/counts.ts';
import { fromRare, heldBy, withJudged } from '../matching/match.ts';
import { openNewest, readOn, type Newest } from '../matching/newest-by-index.ts';
import { walk, type Hits, type SearchOf } from '../matching/newest-by-text.ts';
import { readScores, type Hit, type Scored } from '../matching/score.ts';
import { readWhole } from '../matching/whole-words.ts';

/** If the caller may see no more records than this, compare all of them. */
const FEW = EXACT;
/** Newest matches to rank when a word is common. */
const MOST_RANKED = 100;
/** Records with a whole word to try per result. */
const MOST_TRIED = 20;

/** Returns the matches of each search, in the same order. */
export async function readHits(ctx: Context, searches: readonly SearchOf[], limit: number): Promise<readonly Hits[]> {
  const found = new Map<SearchOf, Hits>();
  await readFew(
    ctx,
    searches.filter(({ none }) => !none),
    found,
  );
  const others = searches.filter((each) => !each.none && !found.has(each));
  if (others.length > 0) await readNewest(ctx, others, { limit, found });
  return searches.map((each) => {
    const { best = [], total = 0 } = found.get(each) ?? {};
    const first = new Set(each.first);
    return { best: best.toSorted((a, b) => Number(first.has(b.id)) - Number(first.has(a.id))).slice(0, limit), total };
  });
}

/** Handles searches for a rare word, and callers who may see few records, by comparing all candidates. */
async function readFew(ctx: Context, searches: readonly SearchOf[], found: Map<SearchOf, Hits>): Promise<void> {
  const asked = searches.flatMap((search) => {
    const keys = search.rarest ? keysFrom(ctx, search, fromRare(search, search.rarest)) : newestSeen(ctx, search);
    return keys ? [{ search, keys }] : [];
  });
  for (const [i, { hits, compared }] of (await readScores(ctx, asked)).entries()) {
    const search = asked[i]?.search;
    if (search && (search.rarest || compared <= FEW)) found.set(search, { best: bestFirst(hits), total: hits.length });
  }
}

interface Wanted {
  readonly limit: number;
  readonly found: Map<SearchOf, Hits>;
}

/** Handles searches for common words among many records. */
async function readNewest(ctx: Context, searches: readonly SearchOf[], { limit, found }: Wanted): Promise<void> {
  const opened = new Map([...(await openByOwn(ctx, searches))]);
  for (const [search, newest] of await openNewest(
    ctx,
    searches.filter((each) => !opened.has(each)),
  ))
    opened.set(search, newest);
  await readOn(ctx, opened.values(), EXACT);
  const whole = await readWhole(ctx, searches, limit * MOST_TRIED);
  const named = await readNewestNamed(
    ctx,
    [...opened.keys()].filter((each) => each.words.some((word) => each.reached(word) > COMMON)),
  );
  const asked = searches.flatMap((search) => {
    const better = [...(search.first ?? []), ...(whole.get(search) ?? []), ...(named.get(search) ?? [])];
    const ids = idsFor(opened.get(search), better, seesAll(ctx, search));
    return ids ? [{ search, keys: keysOf(ctx, search, ids) }] : [];
  });
  for (const [i, { hits }] of (await readScores(ctx, asked)).entries()) {
    const search = asked[i]?.search;
    if (!search) continue;
    // An incomplete scan has more matches than the exact limit, so no count is needed.
    const total = isComplete(opened.get(search)) ? hits.length : EXACT + 1;
    found.set(search, { best: bestFirst(hits), total });
  }
  for (const search of searches.filter((each) => !found.has(each))) {
    const newest = opened.get(search);
    const some = [...(search.first ?? []), ...(whole.get(search) ?? [])];
    if (newest && seesAll(ctx, search)) found.set(search, await compareOn(ctx, search, newest, some));
    else found.set(search, await walk(ctx, search, { whole: some, ranked: MOST_RANKED }));
  }
}

/**
 * Starts the searches where too many records refer to something with a word in its name, but enough records have the
 * words in their own texts. Of the records found by name, only those that rank higher matter then.
 */
async function openByOwn(ctx: Context, searches: readonly SearchOf[]): Promise<Map<SearchOf, Newest>> {
  const tried = searches.filter(
    (each) =>
      seesAll(ctx, each) &&
      each.words.some((word) => each.reached(word) > COMMON) &&
      each.words.every((word) => heldBy(word, each.of.table).n > COMMON),
  );
  const opened = await openNewest(ctx, tried, { own: true });
  const sure = [...opened].filter(([, newest]) => newest.sure);
  await readOn(
    ctx,
    sure.map(([, newest]) => newest),
    EXACT,
  );
  return new Map(sure.filter(([, newest]) => newest.ids.length > EXACT));
}

function isComplete(newest: Newest | undefined): boolean {
  return newest !== undefined && newest.ended && newest.ids.length <= EXACT;
}

function seesAll(ctx: Context, { found }: SearchOf): boolean {
  return found.view.visible(ctx).length === 0;
}

/**
 * Returns the records to compare when the index can tell which have the words: all of them, or the newest plus those
 * with a whole word, which rank above newer partial matches.
 */
function idsFor(newest: Newest | undefined, whole: readonly number[], all: boolean): readonly number[] | undefined {
  if (isComplete(newest)) return newest?.ids;
  return newest?.sure && all ? [...newest.ids.slice(0, MOST_RANKED), ...whole] : undefined;
}

/** Compares records that the index finds for some of the words, newest first, until enough have all words. */
async function compareOn(ctx: Context, search: SearchOf, newest: Newest, whole: readonly number[]): Promise<Hits> {
  const hits = new Map<number, Hit>();
  const add = (scored: readonly Scored[]) => scored[0]?.hits.forEach((each) => hits.set(each.id, each));
  const compare = async (ids: readonly number[]) =>
    add(await readScores(ctx, [{ search, keys: keysOf(ctx, search, ids) }]));
  for (;;) {
    for (let from = 0; from < newest.ids.length && hits.size <= EXACT; from += FEW)
      await compare(newest.ids.slice(from, from + FEW));
    if (newest.ended || hits.size > EXACT) break;
    newest.ids = [];
    await readOn(ctx, [newest], EXACT);
  }
  const total = hits.size;
  await compare(whole);
  return { best: bestFirst([...hits.values()]), total };
}

function keysFrom(ctx: Context, search: SearchOf, from: Sql): Sql {
  return sql`SELECT ${idOf(search)} AS id ${from} AND ${inOrder(ctx, search).where}`;
}

/** Selects those of these records, and of the unindexed ones with any of the words, that the caller may see. */
function keysOf(ctx: Context, search: SearchOf, ids: readonly number[]): Sql {
  const all = withJudged(search, ids);
  return sql`SELECT ${idOf(search)} AS id FROM ${name(search.of.table.name)}
    WHERE ${idOf(search)} IN ${listed(all)} AND ${inOrder(ctx, search).where}`;
}

/** Selects the newest records that the caller may see, one more than are compared; undefined if the caller sees all. */
function newestSeen(ctx: Context, search: SearchOf): Sql | undefined {
  if (search.found.view.visible(ctx).length === 0) return undefined;
  const { from, where, order } = inOrder(ctx, search);
  return sql`SELECT ${idOf(search)} AS id FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT ${FEW + 1}`;
}

function idOf({ of: { table } }: SearchOf): Sql {
  return name(`${table.name}.${table.primary}`);
}

function inOrder(ctx: Context, { of, found }: SearchOf) {
  const asked = { sorts: found.view.of.sorts, where: found.view.visible(ctx), matching: sql`1 = 1` };
  return newestFirst(ctx.db.dialect, of.table, asked);
}

function bestFirst(hits: readonly Hit[]): Hit[] {
  return hits.toSorted((a, b) => b.points - a.points || b.id - a.id);
}
