// Records with some of the words of a question, where `searched` and `findRecords` want all of them.
import { wordsIn } from '../kit/normal.ts';
import type { Context } from '../plugin/context.ts';
import { joined, name, sql } from '../database/sql.ts';
import type { Row, Table } from '../database/table.ts';
import { filterSql } from '../list/list-query.ts';
import type { Filter } from '../list/list.ts';
import { holders } from './match.ts';
import { COMMON, planSearches } from './plan.ts';
import { WHOLE } from './points.ts';
import { searchableOf } from './sources.ts';

/** Of a question; the longest, because they tell more than short ones. */
const MOST_WORDS = 8;
const SHORTEST = 3;
const LONGEST = 40;

/**
 * The rows that answer a question in words best, best first: those with the most of its eight longest words, whole words
 * and words of names before others. Its cost does not grow with the table: of a word that stands in more than 1,000
 * records, as many are looked at.
 * @param where which of them the caller may see
 * @example `const articles = await findByAnyWord(ctx, KbArticle, { text: 'printer prints nothing', where, limit: 5 })`
 */
export async function findByAnyWord<T extends Table>(
  ctx: Context,
  table: T,
  { text, where, limit }: { readonly text: string; readonly where: readonly Filter[]; readonly limit: number },
): Promise<Row<T>[]> {
  const words = wordsIn(text, { longest: LONGEST })
    .filter((each) => each.length >= SHORTEST)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MOST_WORDS);
  const [search] = await planSearches(ctx, [{ of: searchableOf(ctx.app, table), depth: 'main' }], words);
  if (!search) return [];
  const key = name(`${table.name}.${table.primary}`);
  const each = search.words.map(
    (asked) => sql`SELECT id, MAX(points) AS points FROM (${holders(search, asked, COMMON)}) AS one GROUP BY id`,
  );
  const living = 'deleted_at' in table.columns ? [sql`${name(`${table.name}.deleted_at`)} IS NULL`] : [];
  const seen = joined([sql`1 = 1`, ...living, ...where.map((filter) => filterSql(table, filter))]);
  // A word that stands within another says little; a second word says more than the first one being whole.
  const rows = await ctx.db.query<{ id: unknown }>(sql`SELECT ${key} AS id
    FROM (SELECT id, SUM(points + ${WHOLE}) AS points FROM (${joined(each, ' UNION ALL ')}) AS every GROUP BY id) AS held
      ${ctx.db.dialect === 'mysql' ? sql`STRAIGHT_JOIN` : sql`CROSS JOIN`} ${name(table.name)} ON ${key} = held.id
    WHERE ${seen} ORDER BY held.points DESC, held.id DESC LIMIT ${limit}`);
  const ids = rows.map(({ id }) => Number(id));
  if (ids.length === 0) return [];
  const found: Row<T>[] = await ctx.db.find(table, { [table.primary]: ids } as never);
  const byId = new Map(found.map((row) => [Number(Reflect.get(row, table.primary)), row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
