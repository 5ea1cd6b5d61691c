// Finds records that refer to others with a word in their name.
import type { Table } from '@keelson/database/schema/table.ts';
import { joined, name, sql, type Sql } from '@keelson/database/statement/sql.ts';
import { filterSql } from '@keelson/list/list-query.ts';
import { by, is, type Filter, type Sort } from '@keelson/list/list.ts';
import { newestFirst } from '@keelson/list/newest-first.ts';
import type { Context } from '../../plugin/context.ts';
import { COMMON } from './counts.ts';
import { candidatesByName, keysBy, type Asked, type Search } from './match.ts';
import type { Planned } from './search-plan.ts';
import { limited } from './vocabulary.ts';

/** Referenced records to follow for a common word, and records to read for each. */
const MOST_NAMES = 20;
const MOST_OF_ONE = 5;

/** Maximum records to collect by the names they refer to. */
export const MOST_NAMED = 2 * COMMON;

/**
 * Returns the keys of the non-deleted records that refer to others with a word in their name; at most one more than
 * `MOST_NAMED`.
 * @param where further conditions on the records
 */
export async function readNamed(
  ctx: Context,
  search: Search,
  asked: Asked,
  where: readonly Filter[] = [],
): Promise<number[]> {
  const { table, through } = search.of;
  const living = 'deleted_at' in table.columns ? sql`AND deleted_at IS NULL` : sql``;
  const also = joined([sql`1 = 1`, ...where.map((each) => filterSql(table, each))]);
  const selects = through.flatMap(([column, other]) => {
    const ids = candidatesByName(search, other, asked);
    return ids.length === 0 ? [] : [sql`${keysBy(search, column, ids)} ${living} AND ${also}`];
  });
  if (selects.length === 0) return [];
  const rows = await ctx.db.query<{ id: unknown }>(sql`${joined(selects, ' UNION ')} LIMIT ${MOST_NAMED + 1}`);
  return rows.map(({ id }) => Number(id));
}

/** For common words in names, returns the newest records that refer to some of the matching records. */
export async function readNewestNamed<S extends Planned>(
  ctx: Context,
  searches: readonly S[],
): Promise<ReadonlyMap<S, readonly number[]>> {
  const selects = searches.flatMap((search, i) =>
    search.words.flatMap((asked) => search.of.through.flatMap((through) => newestOf(search, asked, through, i))),
  );
  if (selects.length === 0) return new Map();
  const rows = await ctx.db.query<{ which: unknown; id: unknown }>(joined(selects, ' UNION ALL '));
  const byWhich = Map.groupBy(rows, ({ which }) => Number(which));
  return new Map(searches.map((search, i) => [search, byWhich.get(i)?.map(({ id }) => Number(id)) ?? []]));
}

function newestOf(search: Planned, asked: Asked, [column, other]: readonly [string, Table], which: number): Sql[] {
  const { dialect, of } = search;
  const sorts: Readonly<Record<string, Sort>> =
    'created_at' in of.table.columns ? { created_at: by('created_at') } : {};
  const newest = candidatesByName(search, other, asked).toSorted((a, b) => b - a);
  return newest.slice(0, MOST_NAMES).map((ref) => {
    const { from, where, order } = newestFirst(dialect, of.table, {
      sorts,
      where: [is(column, ref)],
      matching: sql`1 = 1`,
    });
    const key = name(`${of.table.name}.${of.table.primary}`);
    return limited(
      dialect,
      sql`SELECT ${which} AS which, ${key} AS id FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT ${MOST_OF_ONE}`,
    );
  });
}
