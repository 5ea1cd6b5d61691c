// Tells the caches of this process that rows of a table changed, where two seconds would be too long to wait: somebody was
// locked out. Other processes notice within the caches' two seconds.
import type { Context } from './context.ts';
import type { App } from './app.ts';
import { perApp } from './per-app.ts';
import type { Table } from '../database/table.ts';

const watchers = perApp(() => new Map<string, (() => void)[]>());

/** Runs `then` after every change of the table that is told with `changed`. */
export function whenChanged(app: App, table: Table, then: () => void): void {
  const all = watchers(app);
  all.set(table.name, [...(all.get(table.name) ?? []), then]);
}

/** Call it in the transaction that changes a row others keep in memory. */
export function changed(ctx: Context, table: Table): void {
  ctx.afterCommit(() => {
    for (const then of watchers(ctx.app).get(table.name) ?? []) then();
  });
}
