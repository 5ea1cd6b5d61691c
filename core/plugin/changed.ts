// Tells the caches of this process that rows of a table change, where two seconds would be too long to wait: somebody was
// locked out. Other processes notice within the caches' two seconds.
import type { Cache } from '../database/cache.ts';
import type { Table } from '../database/table.ts';
import type { App } from './app.ts';
import type { Context } from './context.ts';
import { perApp } from './per-app.ts';

type Kept = Pick<Cache<never, unknown>, 'changing' | 'clear'>;

const caches = perApp(() => new Map<string, Kept[]>());

/** Empties `kept` with every change of these tables that is told with `changed`. */
export function invalidateOnChange(app: App, kept: Kept, tables: readonly Table[]): void {
  const all = caches(app);
  for (const { name } of tables) all.set(name, [...(all.get(name) ?? []), kept]);
}

/** Call it in the transaction that changes a row others keep in memory. */
export function changed(ctx: Context, table: Table): void {
  for (const each of caches(ctx.app).get(table.name) ?? []) {
    if (ctx.tx) each.changing(ctx.tx);
    else each.clear();
  }
}
