// Tells the caches of this process that a table changes, so that a lock-out, for example, counts at once. Other processes
// are told over Redis; without it they see it when their cache entries expire, within two seconds.
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
  const kept = caches(ctx.app).get(table.name) ?? [];
  for (const each of kept) {
    if (ctx.tx) each.changing(ctx.tx);
    else each.clear();
  }
  // They have no cache that this process does not have.
  if (kept.length > 0) ctx.afterCommit(() => ctx.app.others.tell(table.name));
}

/** Forgets what is cached of a table that another process has changed. */
export function forgetCached(app: App, table: string): void {
  for (const each of caches(app).get(table) ?? []) each.clear();
}
