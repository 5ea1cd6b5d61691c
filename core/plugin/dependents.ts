// What keeps a record from being deleted (V-26): rows of any module that refer to it. The module that owns the record
// asks here and does not have to know the others.
import type { Context } from './context.ts';
import { notDeleted } from '../list/counter-compaction.ts';
import { joined, name, sql } from '../database/sql.ts';
import type { Table } from '../database/table.ts';

export interface Dependent {
  /** The table whose rows refer to the record: `Ticket`. */
  readonly table: Table;
  /** The column with the reference, made with `ref()`. */
  readonly column: string;
  /** What the error message calls these rows: `tickets`. */
  readonly words: string;
}

/** Declares that a record cannot be deleted while rows refer to it: `dependent(Ticket, 'company_number', 'tickets')`. */
export function dependent<T extends Table>(table: T, column: keyof T['columns'] & string, words: string): Dependent {
  if (!table.columns[column]?.options.references)
    throw new Error(`${table.name}.${column} refers to nothing: ref() makes it hold a record`);
  return Object.freeze({ table, column, words });
}

/**
 * What still refers to a record, in all plugins, with one statement: `['sites', 'tickets']`; empty when it can be
 * deleted. Deleted rows do not count. Lock the record first, so that no row refers to it in the meantime.
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
