// The `search` parameter of lists.
import type { Table } from '@keelson/database/schema/table.ts';
import { name, sql, type Sql } from '@keelson/database/statement/sql.ts';
import { searchedWords } from '@keelson/kit/normal.ts';
import { param } from '@keelson/kit/param.ts';
import { common, EXACT } from '@keelson/list/common.ts';
import { is, type Filter } from '@keelson/list/list.ts';
import type { Context } from '../../plugin/context.ts';
import type { ListFilter } from '../../record/filter.ts';
import { fromRare, fromThese, matches, type Search } from '../matching/match.ts';
import { openNewest, readOn } from '../matching/newest-by-index.ts';
import { planSearches } from '../matching/search-plan.ts';
import { searchableOf } from '../search-sources.ts';
import type { Depth } from '../searchable.ts';
import { keeper } from './keep-matching.ts';

type SearchParam = ReturnType<typeof param.search>;

/**
 * Creates the list filter by the words of the records (P-24), for a table that a plugin declares in its `search`:
 * `filters: (its) => ({ search: searched(Claim), … })`. Its cost does not grow with the table.
 * @param depth which texts to search; `main` by default
 */
export function searched(table: Table, depth: Depth = 'main'): ListFilter<SearchParam> {
  return Object.freeze({
    param: param.search(),
    where: (ctx: Context, text: string) => whereSearched(ctx, table, text, depth),
  });
}

/**
 * Returns the condition for records of a table with every word of a text. A text without letters or digits matches
 * none.
 */
export async function whereSearched(ctx: Context, table: Table, text: string, depth: Depth = 'main'): Promise<Filter> {
  const words = searchedWords(text);
  if (words.length === 0) return sql`1 = 0`;
  const [search] = await planSearches(ctx, [{ of: searchableOf(ctx.app, table), depth }], words);
  if (!search) throw new Error('A table can be searched by one plan only');
  if (search.none) return sql`1 = 0`;
  const { rarest } = search;
  if (rarest) return is(table.primary, await readKeys(ctx, search, fromRare(search, rarest)));
  const newest = (await openNewest(ctx, [search])).get(search);
  if (newest) await readOn(ctx, [newest], EXACT);
  if (newest?.ended && newest.ids.length <= EXACT)
    return is(table.primary, await readKeys(ctx, search, fromThese(search, newest.ids)));
  return common(matches(search), keeper(ctx, search, newest));
}

async function readKeys(ctx: Context, search: Search, from: Sql): Promise<number[]> {
  const { table } = search.of;
  const rows = await ctx.db.query<{ id: unknown }>(
    sql`SELECT ${name(`${table.name}.${table.primary}`)} AS id ${from} AND ${matches(search)}`,
  );
  return rows.map(({ id }) => Number(id));
}
