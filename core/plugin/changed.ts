// Tells the caches of this process that a table changes, so that a lock-out, for example, counts at once. Other processes
// see it when their cache entries expire, within two seconds.
import type { Cache } from '../database/cache.ts';
import type { Table } from '../database/table.ts';
import type { App } from './app.ts';
import type { Context } from './context.ts';
import { perApp } from './per-app.ts';

type Kept = Pick<Cache<never, unknown>, 'changing' | 'clear'>;

const caches = perApp(() => new Map<string, Kept[]>());

/** Clears a cache with every change of these tables that is reported with `changed`. */
export function invalidateOnChange(app: App, kept: Kept, tables: readonly Table[]): void {
  const all = caches(app);
  for (const { name } of tables) all.set(name, [...(all.get(name) ?? []), kept]);
}

/** Reports that the transaction of `ctx` changes rows of a table, for the caches that hold such rows. */
export function changed(ctx: Context, table: Table): void {
  for (const each of caches(ctx.app).get(table.name) ?? []) {
    if (ctx.tx) each.changing(ctx.tx);
    else each.clear();
  }
}
