// Hooks: points in a module's transaction where other modules write rows that must commit with it. Work that may happen
// after the commit belongs in a subscriber (events/event.ts).
import type { Context } from '../context.ts';
import { perApp } from '../per-app.ts';

export interface Hook<Data = any> {
  /** The plugin id, a dot and what happened: `tickets.written`. */
  readonly name: string;
  /** Type-only. */
  readonly Data?: Data;
}

export interface Hooked {
  readonly hook: Hook;
  readonly run: (ctx: Context, data: any) => Promise<void>;
}

/**
 * Declares a hook: `hook<readonly TicketWrite[]>('tickets.written')`. The writing module exports it and calls `runHook`
 * in the transaction.
 */
export function hook<Data>(name: string): Hook<Data> {
  return Object.freeze({ name });
}

/**
 * Runs `run` at another module's hook, in its transaction: `hooks: [hooked(TicketsWritten, followTickets)]`. If it
 * throws, the write fails, so keep it quick and limited to the database.
 */
export function hooked<Data>(to: Hook<Data>, run: (ctx: Context, data: NoInfer<Data>) => Promise<void>): Hooked {
  return Object.freeze({ hook: to, run });
}

/** Runs the handlers attached to a hook, in plugin order. @throws whatever they throw */
export async function runHook<Data>(ctx: Context, of: Hook<Data>, data: NoInfer<Data>): Promise<void> {
  for (const each of hooksOf(ctx.app).get(of) ?? []) await each.run(ctx, data);
}

const hooksOf = perApp(({ plugins }) =>
  Map.groupBy(
    plugins.flatMap(({ hooks = [] }) => hooks),
    (each) => each.hook,
  ),
);
