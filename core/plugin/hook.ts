// Hooks: points of a module's transaction at which other modules write rows of their own that must never be missing or
// late. Everything that may happen after the commit is a subscriber instead (events/event.ts).
import type { Context } from './context.ts';
import { perApp } from './per-app.ts';

export interface Hook<Data = any> {
  /** The plugin's id, a dot and what happened: `tickets.written`. */
  readonly name: string;
  /** Type-only. */
  readonly Data?: Data;
}

export interface Hooked {
  readonly hook: Hook;
  readonly run: (ctx: Context, data: any) => Promise<void>;
}

/**
 * Declares a hook: `hook<readonly TicketWrite[]>('tickets.written')`. The module that writes exports it and calls
 * `runHook` in the transaction.
 */
export function hook<Data>(name: string): Hook<Data> {
  return Object.freeze({ name });
}

/**
 * Runs `run` at another module's hook, in its transaction: `hooks: [hooked(TicketsWritten, followTickets)]`. If it
 * throws, the write fails, so it must be quick and touch nothing but the database.
 */
export function hooked<Data>(to: Hook<Data>, run: (ctx: Context, data: NoInfer<Data>) => Promise<void>): Hooked {
  return Object.freeze({ hook: to, run });
}

/** Runs what plugins have attached to a hook, in plugin order. @throws whatever they throw */
export async function runHook<Data>(ctx: Context, of: Hook<Data>, data: NoInfer<Data>): Promise<void> {
  for (const each of hooksOf(ctx.app).get(of) ?? []) await each.run(ctx, data);
}

const hooksOf = perApp(({ plugins }) =>
  Map.groupBy(
    plugins.flatMap(({ hooks = [] }) => hooks),
    (each) => each.hook,
  ),
);
