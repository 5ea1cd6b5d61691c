// What keeps a record from being deleted (V-26): rows of any module that refer to it. Whoever owns the record asks here,
// and knows nothing of those who hold it.
import type { Context } from './context.ts';
import { notDeleted } from '../list/counter-compaction.ts';
import { joined, name, sql } from '../database/sql.ts';
import type { Table } from '../database/table.ts';

export interface Dependent {
  /** Whose rows hold the record: `Ticket`. */
  readonly table: Table;
  /** The column that refers to it, made with `ref()`. */
  readonly column: string;
  /** What these rows are called in the sentence that refuses: `tickets`. */
  readonly words: string;
}

/** Declares that rows of a table hold what their column refers to: `dependent(Ticket, 'company_number', 'tickets')`. */
export function dependent<T extends Table>(table: T, column: keyof T['columns'] & string, words: string): Dependent {
  if (!table.columns[column]?.options.references)
    throw new Error(`${table.name}.${column} refers to nothing: ref() makes it hold a record`);
  return Object.freeze({ table, column, words });
}

/**
 * What still holds a record, over all plugins, in one statement: `['sites', 'tickets']`; empty when it may go. Deleted
 * rows hold nothing. Lock the record first, so that nobody takes hold of it meanwhile.
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
