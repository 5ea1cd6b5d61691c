// What records show of other modules' rows. The module that shows it declares a slot and knows nobody else; the one that
// has the rows fills it, and requires the first.
import type { z } from 'zod';
import type { Context } from './context.ts';
import { isEmployee } from './employee.ts';
import type { Plugin } from './plugin.ts';
import type { Access } from './surface.ts';
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
  /** What technicians and keys need to be shown it. */
  readonly access?: Access<any>;
}

/**
 * Declares something that records show of another module's rows: `slot('asset.licenses', z.array(AssetLicence), [])`. The
 * record's own module exports it, and reads it with `readSlot`.
 */
export function slot<Out>(name: string, shape: z.ZodType<Out>, none: NoInfer<Out>): Slot<Out> {
  return Object.freeze({ name, shape, none });
}

/**
 * Fills another module's slot, as its only plugin: `fills: [fill(AssetLicenses, readLicencesOf, ReadLicences)]`. The
 * permission is that of the rows: without it technicians and keys are not shown them beneath another record either.
 */
export function fill<Out>(of: Slot<Out>, read: Read<NoInfer<Out>>, access?: Access<any>): Fill {
  return Object.freeze({ slot: of, read, ...(access && { access }) });
}

/**
 * What the slot holds for these ids, as a function of the id, for the program's own use; what a caller gets to see is
 * `showSlot`. Without a plugin that fills it there is no statement.
 */
export async function readSlot<Out>(ctx: Context, of: Slot<Out>, ids: readonly number[]): Promise<(id: number) => Out> {
  const filled = fillsOf(ctx.app).get(of);
  const found = filled && ids.length > 0 ? await filled.read(ctx, ids) : undefined;
  return (id) => (found?.get(id) as Out | undefined) ?? of.none;
}

/**
 * What a record shows of the slot to the caller: nothing without the permission of what it shows, and nothing to the people
 * of a company for which the module that fills it is switched off.
 */
export async function showSlot<Out>(ctx: Context, of: Slot<Out>, ids: readonly number[]): Promise<(id: number) => Out> {
  const filled = fillsOf(ctx.app).get(of);
  if (!filled || !(await isShown(ctx, filled))) return () => of.none;
  return readSlot(ctx, of, ids);
}

async function isShown({ app, actor }: Context, { access, plugin }: Filled): Promise<boolean> {
  if (actor === undefined || actor === null) return true;
  if (!isEmployee(actor)) return access?.allows(actor) ?? true;
  return !plugin.perCompany || app.switches.enabled(app.system(), actor.company_number, plugin.id);
}

interface Filled extends Fill {
  readonly plugin: Plugin;
}

const fillsOf = perApp(
  ({ plugins }) =>
    new Map(
      plugins.flatMap((plugin) => (plugin.fills ?? []).map((each): [Slot, Filled] => [each.slot, { ...each, plugin }])),
    ),
);
