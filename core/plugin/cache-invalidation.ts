// Invalidates this process's caches when a table changes, so that a lock-out, for example, takes effect at once. Other
// processes are notified through Redis. Without Redis their cache entries expire within two seconds.
import type { Cache } from '@keelson/database/cache.ts';
import type { Table } from '@keelson/database/schema/table.ts';
import type { App } from './app.ts';
import type { Context } from './context.ts';
import { perApp } from './per-app.ts';

type Kept = Pick<Cache<never, unknown>, 'changing' | 'clear'>;

const caches = perApp(() => new Map<string, Kept[]>());

/** Clears a cache on every change to these tables reported with `changed`. */
export function invalidateOnChange(app: App, kept: Kept, tables: readonly Table[]): void {
  const all = caches(app);
  for (const { name } of tables) all.set(name, [...(all.get(name) ?? []), kept]);
}

/** Invalidates the caches that hold rows of a table the transaction of `ctx` changes. */
export function changed(ctx: Context, table: Table): void {
  const kept = caches(ctx.app).get(table.name) ?? [];
  for (const each of kept) {
    if (ctx.tx) each.changing(ctx.tx);
    else each.clear();
  }
  // Every process has the same caches, so no cache here means none elsewhere.
  if (kept.length > 0) ctx.afterCommit(() => ctx.app.others.tell(table.name));
}

/** Clears cached rows of a table that another process changed. */
export function forgetCached(app: App, table: string): void {
  for (const each of caches(app).get(table) ?? []) each.clear();
}
