// An asset's references: its company, site and person, which must belong together (V-21), and listed words.
import { invalid, IsNull, normalised, readDropdown, type Context } from '@keelson/core';
import { Employee, Site, holdCompany } from '@keelson/modules/directory';
import { AssetStatuses, AssetTypes } from '../dropdowns.ts';
import type { Asset } from '../entities/asset.ts';

type Place = Pick<Asset, 'company_number'> & Partial<Pick<Asset, 'site_number' | 'assigned_employee'>>;

/**
 * Checks the changed references of an asset, and locks their rows until it is stored.
 * @throws invalid() naming the field
 */
export async function checkPlace(ctx: Context, place: Place, before?: Asset): Promise<void> {
  const { company_number, site_number, assigned_employee } = place;
  const hold = { lock: { mode: 'pessimistic_write' } } as const;
  if (!before) await holdCompany(ctx, company_number);
  if (site_number && site_number !== before?.site_number) {
    const site = await ctx.db.findOne(Site, { where: { site_number, company_number, deleted_at: IsNull() }, ...hold });
    if (!site) throw invalid('site_number must be a site of the company');
  }
  if (assigned_employee && assigned_employee !== before?.assigned_employee) {
    const where = { employee_number: assigned_employee, company_number, deleted_at: IsNull() };
    if (!(await ctx.db.findOne(Employee, { where, ...hold })))
      throw invalid('assigned_employee must be a contact of the company');
  }
}

/** Returns type and status in the spelling of the lists. Other values are kept; a blank status becomes `active` (AS-02). */
export async function spelled(
  ctx: Context,
  { asset_type, status }: { readonly asset_type?: string | undefined; readonly status?: string | undefined },
): Promise<{ asset_type?: string; status?: string }> {
  const spell = await speller(ctx);
  return {
    ...(asset_type !== undefined && { asset_type: spell.type(asset_type) }),
    ...(status !== undefined && { status: spell.status(status) }),
  };
}

/** Returns functions that normalise the spelling of types and statuses, for many assets. */
export async function speller(ctx: Context) {
  const types = words(await readDropdown(ctx, AssetTypes));
  const statuses = words(await readDropdown(ctx, AssetStatuses));
  return {
    type: (text: string): string => types.get(normalised(text)) ?? text,
    status: (text: string): string => (text === '' ? 'active' : (statuses.get(normalised(text)) ?? text)),
  };
}

const words = (items: readonly { readonly value: string }[]): ReadonlyMap<string, string> =>
  new Map(items.map(({ value }) => [normalised(value), value]));
