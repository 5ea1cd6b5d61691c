// What records show of other modules' rows. The module that shows it declares a slot and knows nobody else; the one that
// has the rows fills it, and requires the first.
import type { z } from 'zod';
import type { Context } from './context.ts';
import { perApp } from './per-app.ts';

/** Finds what belongs to these ids, for all of them at once; ids without anything may be missing. */
type Read<Out> = (ctx: Context, ids: readonly number[]) => Promise<{ get(id: number): Out | undefined }>;

export interface Slot<Out = any> {
  /** `asset.licenses`: the noun that shows it, a dot, what it is. */
  readonly name: string;
  readonly shape: z.ZodType<Out>;
  /** What is shown when there is nothing, or nobody fills the slot. */
  readonly none: Out;
}

export interface Fill {
  readonly slot: Slot;
  readonly read: Read<unknown>;
}

/**
 * Declares something that records show of another module's rows: `slot('asset.licenses', z.array(AssetLicence), [])`. The
 * record's own module exports it, and reads it with `readSlot`.
 */
export function slot<Out>(name: string, shape: z.ZodType<Out>, none: NoInfer<Out>): Slot<Out> {
  return Object.freeze({ name, shape, none });
}

/** Fills another module's slot, as its only plugin: `fills: [fill(AssetLicenses, readLicencesOf)]`. */
export function fill<Out>(of: Slot<Out>, read: Read<NoInfer<Out>>): Fill {
  return Object.freeze({ slot: of, read });
}

/** What the slot shows for these ids, as a function of the id. Without a plugin that fills it there is no statement. */
export async function readSlot<Out>(ctx: Context, of: Slot<Out>, ids: readonly number[]): Promise<(id: number) => Out> {
  const read = fillsOf(ctx.app).get(of);
  const found = read && ids.length > 0 ? await read(ctx, ids) : undefined;
  return (id) => (found?.get(id) as Out | undefined) ?? of.none;
}

const fillsOf = perApp(
  ({ plugins }) => new Map(plugins.flatMap(({ fills = [] }) => fills.map((each) => [each.slot, each.read] as const))),
);
