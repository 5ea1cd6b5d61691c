// References that block deleting a record (V-26). Any module can declare them, so the module that owns the record need
// not depend on the others.
import type { Context } from './context.ts';
import { notDeleted } from '../list/counter-compaction.ts';
import { joined, name, sql } from '../database/sql.ts';
import type { Table } from '../database/table.ts';

export interface Dependent {
  /** The table with the reference: `Ticket`. */
  readonly table: Table;
  /** The reference column, declared with `ref()`. */
  readonly column: string;
  /** The rows' name in error messages: `tickets`. */
  readonly words: string;
}

/** Blocks deletion of a record while rows refer to it: `dependent(Ticket, 'company_number', 'tickets')`. */
export function dependent<T extends Table>(table: T, column: keyof T['columns'] & string, words: string): Dependent {
  if (!table.columns[column]?.options.references)
    throw new Error(`${table.name}.${column} refers to nothing: ref() makes it hold a record`);
  return Object.freeze({ table, column, words });
}

/**
 * Returns what still refers to a record across all plugins, in one statement: `['sites', 'tickets']`. Empty if the
 * record can be deleted. Deleted rows do not count. Lock the record first to prevent new references.
 */
export async function findHolders(ctx: Context, parent: Table, id: number): Promise<string[]> {
  const all = ctx.app.plugins.flatMap((plugin) => plugin.dependents ?? []);
  const some = all.filter(({ table, column }) => table.columns[column]?.options.references?.table === parent.name);
  if (some.length === 0) return [];
  const each = some.map(
    ({ table, column }, i) => sql`EXISTS (SELECT 1 FROM ${name(table.name)}
      WHERE ${name(`${table.name}.${column}`)} = ${id} AND ${notDeleted(table)}) AS ${name(`held_${i}`)}`,
  );
  const [held] = await ctx.db.query<Record<string, unknown>>(sql`SELECT ${joined(each, ', ')}`);
  return [...new Set(some.filter((_, i) => Number(held?.[`held_${i}`]) === 1).map(({ words }) => words))];
}
