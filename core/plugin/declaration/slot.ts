// Slots: places where a record shows other modules' rows. The module that shows them declares the slot and has no
// dependency on the others. The module that owns the rows fills it and requires the first.
import type { z } from 'zod';
import type { Context } from '../context.ts';
import { perApp } from '../per-app.ts';
import type { Plugin } from '../plugin.ts';
import { isEmployee } from '../route/employee.ts';
import type { Access } from '../route/surface.ts';

/** Finds the values for all these ids at once. Ids without a value may be missing. */
type Read<Out> = (ctx: Context, ids: readonly number[]) => Promise<{ get(id: number): Out | undefined }>;

export interface Slot<Out = any> {
  /** The noun that shows it, a dot and a name: `asset.licenses`. */
  readonly name: string;
  readonly shape: z.ZodType<Out>;
  /** The value when there is nothing to show or no plugin fills the slot. */
  readonly none: Out;
}

export interface Fill {
  readonly slot: Slot;
  readonly read: Read<unknown>;
  /** The permission technicians and keys need to see it. */
  readonly access?: Access<any>;
}

/**
 * Declares a slot in which records show another module's rows: `slot('asset.licenses', z.array(AssetLicence), [])`. The
 * record's module exports it and reads it with `readSlot`.
 */
export function slot<Out>(name: string, shape: z.ZodType<Out>, none: NoInfer<Out>): Slot<Out> {
  return Object.freeze({ name, shape, none });
}

/**
 * Fills another module's slot. Only one plugin may fill a slot: `fills: [fill(AssetLicenses, readLicencesOf,
 * ReadLicences)]`. The permission is that of the rows: without it, technicians and keys do not see them within other
 * records either.
 */
export function fill<Out>(of: Slot<Out>, read: Read<NoInfer<Out>>, access?: Access<any>): Fill {
  return Object.freeze({ slot: of, read, ...(access && { access }) });
}

/**
 * Returns a lookup of the slot's values by id, for internal use. `showSlot` applies the caller's access. Runs no
 * statement if no plugin fills the slot.
 */
export async function readSlot<Out>(ctx: Context, of: Slot<Out>, ids: readonly number[]): Promise<(id: number) => Out> {
  const filled = fillsOf(ctx.app).get(of);
  const found = filled && ids.length > 0 ? await filled.read(ctx, ids) : undefined;
  return (id) => (found?.get(id) as Out | undefined) ?? of.none;
}

/**
 * Returns a lookup of the slot's values the caller may see: none without the permission for the rows, and none for
 * employees of a company that has the filling module switched off.
 */
export async function showSlot<Out>(ctx: Context, of: Slot<Out>, ids: readonly number[]): Promise<(id: number) => Out> {
  const filled = fillsOf(ctx.app).get(of);
  if (!filled || !(await isShown(ctx, filled))) return () => of.none;
  return readSlot(ctx, of, ids);
}

/**
 * Returns a lookup of the slot's values that the caller may refer to in a request: none for employees of a company that
 * has the filling module switched off.
 * @example `const asset = (await referSlot(ctx, KnownAssets, [asset_id]))(asset_id)`
 */
export async function referSlot<Out>(
  ctx: Context,
  of: Slot<Out>,
  ids: readonly number[],
): Promise<(id: number) => Out> {
  return isEmployee(ctx.actor) ? showSlot(ctx, of, ids) : readSlot(ctx, of, ids);
}

async function isShown(ctx: Context, { access, plugin }: Filled): Promise<boolean> {
  const { app, actor } = ctx;
  if (actor === undefined || actor === null) return true;
  if (!isEmployee(actor)) return access?.allows(actor) ?? true;
  return !plugin.perCompany || app.switches.enabled(ctx, actor.company_number, plugin.id);
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
