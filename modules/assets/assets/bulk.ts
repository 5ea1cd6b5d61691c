// Bulk action on up to 500 assets. Reports assets that cannot be changed, and changes the rest.
import { changeAll, forbidden, invalid, IsNull, lockAll, remove, z, type Admin, type Context } from '@keelson/core';
import { Employee, Site } from '@keelson/modules/directory';
import type { Asset } from '../entities/asset.ts';
import { DeleteAssets, WriteAssets } from '../permissions.ts';
import { Assets, keyed, type AssetUpdate } from './assets.ts';
import { spelled } from './references.ts';

export const bulkActions = ['update', 'update_status', 'assign', 'move', 'delete'] as const;

export const BulkAssets = z.object({
  action: z.enum(bulkActions),
  requested: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  results: z.array(z.object({ asset_id: z.int(), success: z.boolean(), error: z.string().optional() })),
});

export interface BulkRequest {
  readonly action: (typeof bulkActions)[number];
  readonly asset_ids: readonly number[];
  readonly fields?: Omit<AssetUpdate, 'ip_addresses' | 'software'> | undefined;
  readonly status?: string | undefined;
  readonly assigned_employee?: number | null | undefined;
  readonly site_number?: number | null | undefined;
}

/**
 * Applies a bulk action.
 * @throws forbidden() when the key lacks the permission for this action (Z-46); invalid() without its parameter
 */
export async function changeAssets(ctx: Context<Admin>, request: BulkRequest): Promise<z.input<typeof BulkAssets>> {
  const { action, asset_ids } = request;
  if (!(action === 'delete' ? DeleteAssets : WriteAssets).allows(ctx.actor)) throw forbidden();
  const asked = changesOf(request);
  const wanted = { ...asked, ...(await spelled(ctx, asked)), ...(await keyed(ctx, asked)) };
  const assets = await lockAll(ctx, Assets, asset_ids);
  const refusal = await refusalOf(ctx, wanted);
  const refused = new Map(assets.flatMap((each) => pair(each.asset_id, refusal(each))));
  const accepted = assets.filter((each) => !refused.has(each.asset_id));
  if (action === 'delete') await remove(ctx, Assets, accepted);
  else await changeAll(ctx, Assets, accepted, wanted);
  const done = new Set(accepted.map((each) => each.asset_id));
  const results = asset_ids.map((asset_id) =>
    done.has(asset_id)
      ? { asset_id, success: true }
      : { asset_id, success: false, error: refused.get(asset_id) ?? 'Asset not found' },
  );
  return { action, requested: results.length, succeeded: done.size, failed: results.length - done.size, results };
}

/** Returns the columns the action changes. @throws invalid() when its parameter is missing, before any change */
function changesOf({ action, fields, status, assigned_employee, site_number }: BulkRequest): AssetUpdate {
  switch (action) {
    case 'update':
      if (!fields) throw invalid('fields is required');
      if (Object.values(fields).every((each) => each === undefined)) throw invalid('No fields to update');
      return fields;
    case 'update_status':
      return { status: required('status', status) };
    case 'assign':
      return { assigned_employee: required('assigned_employee', assigned_employee) };
    case 'move':
      return { site_number: required('site_number', site_number) };
    case 'delete':
      return {};
  }
}

function required<T>(field: string, value: T | undefined): T {
  if (value === undefined) throw invalid(`${field} is required`);
  return value;
}

/** A site and a person belong to one company: assets of other companies are refused. */
async function refusalOf(ctx: Context, { site_number, assigned_employee }: AssetUpdate) {
  const hold = { lock: { mode: 'pessimistic_write' } } as const;
  const site = site_number
    ? await ctx.db.findOne(Site, { where: { site_number, deleted_at: IsNull() }, ...hold })
    : undefined;
  const person = assigned_employee
    ? await ctx.db.findOne(Employee, { where: { employee_number: assigned_employee, deleted_at: IsNull() }, ...hold })
    : undefined;
  return ({ company_number }: Asset): string | undefined => {
    if (site_number && site?.company_number !== company_number) return 'site_number must be a site of the company';
    if (assigned_employee && person?.company_number !== company_number)
      return 'assigned_employee must be a contact of the company';
    return undefined;
  };
}

const pair = (id: number, error: string | undefined): [number, string][] => (error === undefined ? [] : [[id, error]]);
