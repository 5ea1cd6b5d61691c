// Finds records with any of the words in a text, whereas `searched` and `findRecords` require all of them.
import type { Row, Table } from '@keelson/database/schema/table.ts';
import { joined, name, sql, type Sql } from '@keelson/database/statement/sql.ts';
import { wordsIn } from '@keelson/kit/normal.ts';
import { filterSql } from '@keelson/list/list-query.ts';
import type { Filter } from '@keelson/list/list.ts';
import { In } from 'typeorm';
import type { Context } from '../../plugin/context.ts';
import { COMMON } from '../matching/counts.ts';
import { candidates, candidatesByName, fromKeys, heldBy, keysBy, points, type Search } from '../matching/match.ts';
import { planSearches } from '../matching/search-plan.ts';
import { readNewest } from '../matching/whole-words.ts';
import { WHOLE } from '../points.ts';
import { searchableOf } from '../search-sources.ts';
import { isStopWord } from '../stop-words.ts';

/** Words used from a text; the longest, because they are more specific. */
const MOST_WORDS = 8;
const SHORTEST = 3;
const LONGEST = 40;

/**
 * Returns the rows that best match a text, best first. Rows with the most of its eight longest words win; whole words
 * rank above parts of words, and words such as `how` and `from` do not count. The cost does not grow with the table: it compares about 1,000 records, those with the
 * rarest words and the newest of those with common ones.
 * @param where limits the rows to those the caller may see
 * @example `const articles = await findByAnyWord(ctx, KbArticle, { text: 'printer prints nothing', where, limit: 5 })`
 */
export async function findByAnyWord<T extends Table>(
  ctx: Context,
  table: T,
  { text, where, limit }: { readonly text: string; readonly where: readonly Filter[]; readonly limit: number },
): Promise<Row<T>[]> {
  const words = wordsIn(text, { longest: LONGEST })
    .filter((each) => each.length >= SHORTEST && !isStopWord(each))
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MOST_WORDS);
  const [search] = await planSearches(ctx, [{ of: searchableOf(ctx.app, table), depth: 'main' }], words);
  if (!search) return [];
  const living = 'deleted_at' in table.columns ? [sql`${name(`${table.name}.deleted_at`)} IS NULL`] : [];
  const seen = joined([sql`1 = 1`, ...living, ...where.map((filter) => filterSql(table, filter))]);
  const worth = search.words.map((each, w) => sql`${points(search, each)} AS ${name(`points_${w}`)}`);
  const rows = await ctx.db.query<Record<string, unknown>>(sql`SELECT ${name(`${table.name}.${table.primary}`)} AS id,
    ${joined(worth, ', ')} ${fromKeys(search, joined(await keysOf(ctx, search), ' UNION '))} AND ${seen}`);
  const ids = rows
    .map(({ id, ...each }) => ({ id: Number(id), points: Object.values(each).reduce<number>(addPoints, 0) }))
    .filter((each) => each.points > 0)
    .toSorted((a, b) => b.points - a.points || b.id - a.id)
    .slice(0, limit)
    .map(({ id }) => id);
  if (ids.length === 0) return [];
  const found: Row<T>[] = await ctx.db.findBy(table, { [table.primary]: In(ids) } as never);
  const byId = new Map(found.map((row) => [Number(Reflect.get(row, table.primary)), row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Adds a word's points: a partial match says little, and a second matching word outweighs a whole-word match. */
function addPoints(sum: number, points: unknown): number {
  const worth = Number(points);
  return worth === 0 ? sum : sum + worth + WHOLE;
}

/** Selects the keys of records with any of the words, rarest word first, up to a limit. */
async function keysOf(ctx: Context, search: Search): Promise<Sql[]> {
  const { table, through } = search.of;
  const byRarity = search.words.toSorted((a, b) => heldBy(a, table).n - heldBy(b, table).n);
  const common = byRarity.filter((each) => heldBy(each, table).n > COMMON);
  const newest = await readNewest(ctx, table.name, common, COMMON);
  const own = new Set<number>();
  for (const each of byRarity)
    for (const id of newest.get(each) ?? candidates(search, table, each).all) if (own.size < COMMON) own.add(id);
  const named = through.flatMap(([column, other]) => {
    const ids = new Set(byRarity.flatMap((each) => candidatesByName(search, other, each)));
    return ids.size === 0 ? [] : [sql`SELECT id FROM (${keysBy(search, column, [...ids])} LIMIT ${COMMON}) AS named`];
  });
  return [keysBy(search, table.primary, [...own]), ...named];
}
