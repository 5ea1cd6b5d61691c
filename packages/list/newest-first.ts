// Selects matching rows newest first, through an index in that order if there is one.
import type { Dialect } from '@keelson/database/schema/column.ts';
import { namedIndices, type NamedIndex } from '@keelson/database/schema/schema.ts';
import type { Table } from '@keelson/database/schema/table.ts';
import type { Sql } from '@keelson/database/statement/sql.ts';
import { memoize } from '@keelson/kit/memoize.ts';
import { common } from './common.ts';
import { straightIndex, tableSql } from './index-range.ts';
import { conditions, parseRequest } from './list-query.ts';
import { orderSql } from './list-statements.ts';
import { by, defineList, type Filter, type List, type Sort } from './list.ts';

/** The parts of a SELECT: the table with its index, the conditions excluding deleted rows, and the order. */
export interface NewestFirst {
  readonly from: Sql;
  readonly where: Sql;
  readonly order: Sql;
}

/**
 * Builds the parts of a SELECT for the newest matching rows.
 * @param sorts the sorts of the table's lists: the order is by `created_at` if they have it, otherwise by key
 * @param matching a condition that matches many rows
 */
export function newestFirst(
  dialect: Dialect,
  table: Table,
  { sorts, where, matching }: { sorts: Readonly<Record<string, Sort>>; where: readonly Filter[]; matching: Sql },
): NewestFirst {
  const list = (sorts['created_at'] ? byCreation : byKey)(table);
  const query = parseRequest(list, { where: [...where, common(matching)], sort: 'newest', direction: 'desc' });
  const index = straightIndex(query) ?? indexOn(table, [...query.known.keys()]);
  return { from: tableSql(dialect, table, index), where: conditions(query), order: orderSql(query) };
}

const byCreation = memoize((table: Table): List => listBy(table, by('created_at')));
const byKey = memoize((table: Table): List => listBy(table, by(table.primary)));

function listBy(table: Table, newest: Sort): List {
  return defineList<Table, string>({ table, columns: [table.primary], sorts: { newest } });
}

/** Returns an index that starts with these columns, in any order. */
function indexOn(table: Table, columns: readonly string[]): NamedIndex | undefined {
  if (columns.length === 0) return undefined;
  return namedIndices(table).find((each) => {
    const head = each.columns.slice(0, columns.length);
    return columns.every((one) => head.includes(one));
  });
}
