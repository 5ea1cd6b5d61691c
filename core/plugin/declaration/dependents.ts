// References that block deleting a record that declares `held` (V-26), and that keep any imported record when its import
// is undone. Any module can declare them, so the module that owns the record need not depend on the others.
import type { Table } from '@keelson/database/schema/table.ts';
import { joined, listed, name, sql, type Sql } from '@keelson/database/statement/sql.ts';
import { notDeleted } from '@keelson/list/counter/counter-compaction.ts';
import type { Context } from '../context.ts';

export interface Dependent {
  /** The table with the reference: `Ticket`. */
  readonly table: Table;
  /** The reference column, declared with `ref()`. */
  readonly column: string;
  /** The rows' name in error messages: `tickets`. */
  readonly words: string;
  /** Which rows count; all if undefined. */
  readonly only: Sql | undefined;
}

/**
 * Blocks deletion of a record that declares `held` while rows refer to it, and keeps it when its import is undone:
 * `dependent(Ticket, 'company_number', 'tickets')`. `only` says which rows count, if not all.
 */
export function dependent<T extends Table>(
  table: T,
  column: keyof T['columns'] & string,
  words: string,
  only?: Sql,
): Dependent {
  if (!table.columns[column]?.options.references)
    throw new Error(`${table.name}.${column} does not reference a table: declare it with ref()`);
  return Object.freeze({ table, column, words, only });
}

/**
 * Returns what still refers to a record across all plugins, in one statement: `['sites', 'tickets']`. Empty if the
 * record can be deleted. Deleted rows do not count. Lock the record first to prevent new references.
 */
export async function findHolders(ctx: Context, parent: Table, id: number): Promise<string[]> {
  const some = dependentsOf(ctx, parent);
  if (some.length === 0) return [];
  const each = some.map(
    (each, i) => sql`EXISTS (SELECT 1 FROM ${name(each.table.name)}
      WHERE ${name(`${each.table.name}.${each.column}`)} = ${id} AND ${counting(each)}) AS ${name(`held_${i}`)}`,
  );
  const [held] = await ctx.db.query<Record<string, unknown>>(sql`SELECT ${joined(each, ', ')}`);
  return [...new Set(some.filter((_, i) => Number(held?.[`held_${i}`]) === 1).map(({ words }) => words))];
}

/**
 * Returns what still refers to some records, with one statement per kind of reference; only records with references are
 * included.
 */
export async function findHoldersOfAll(
  ctx: Context,
  parent: Table,
  ids: readonly number[],
): Promise<Map<number, string[]>> {
  const found = new Map<number, string[]>();
  if (ids.length === 0) return found;
  for (const each of dependentsOf(ctx, parent)) {
    const { table, column, words } = each;
    const held = name(`${table.name}.${column}`);
    const rows = await ctx.db.query<{ held: unknown }>(sql`SELECT DISTINCT ${held} AS held FROM ${name(table.name)}
      WHERE ${held} IN ${listed(ids)} AND ${counting(each)}`);
    for (const row of rows) {
      const by = found.get(Number(row.held)) ?? [];
      found.set(Number(row.held), by.includes(words) ? by : [...by, words]);
    }
  }
  return found;
}

/** Which rows of the table count. */
const counting = ({ table, only }: Dependent): Sql =>
  only ? sql`${notDeleted(table)} AND ${only}` : notDeleted(table);

function dependentsOf(ctx: Context, parent: Table): Dependent[] {
  const all = ctx.app.plugins.flatMap((plugin) => plugin.dependents ?? []);
  return all.filter(({ table, column }) => table.columns[column]?.options.references?.table === parent.name);
}
