// The change history of an asset: assignee, location and other fields.
import { by, noun, param, view, type Context } from '@keelson/core';
import type { Change } from '@keelson/core/record';
import { EmployeeNames, SiteNames } from '@keelson/modules/directory';
import { Asset, AssetChange } from '../entities/asset.ts';

/** The fields whose changes are kept; excludes notes and the time a scan last saw the asset. */
export const keptFields = [
  'machine_name',
  'asset_type',
  'serial_number',
  'site_number',
  'status',
  'ip_address',
  'mac_address',
  'manufacturer',
  'model',
  'operating_system',
  'location',
  'assigned_employee',
  'purchase_date',
  'warranty_expires',
] as const;
type Kept = (typeof keptFields)[number];

const changeNoun = noun(AssetChange, {
  title: 'Change',
  filters: (its) => ({ asset_id: its.is('asset_id'), field: its.is('field', param.choice(keptFields)) }),
  sorts: { changed_at: by('changed_at') },
});

export const ChangeItem = view(changeNoun, { except: ['asset_id'] });

/** Stores changes of assets in the same transaction, one readable row per field. */
export async function storeChanges(ctx: Context, changes: readonly Change<typeof Asset>[]): Promise<void> {
  if (!ctx.tx) throw new Error('Asset history must be written in the transaction that changes the asset');
  const textOf = await readTexts(ctx, changes);
  for (const { before, after, changed } of changes) {
    for (const field of keptFields) {
      if (!changed.includes(field)) continue;
      ctx.tx.append(AssetChange, {
        asset_id: after.asset_id,
        field,
        before: textOf(field, before),
        after: textOf(field, after),
        changed_by: ctx.author.name,
        changed_at: ctx.now,
      });
    }
  }
}

/** Returns the names of the sites and people before and after the change. */
async function readTexts(ctx: Context, changes: readonly Change<typeof Asset>[]) {
  const rows = changes.flatMap(({ before, after }) => [before, after]);
  const sites = await ctx.app.names.get(
    ctx.db,
    SiteNames,
    rows.map((each) => each.site_number),
  );
  const people = await ctx.app.names.get(
    ctx.db,
    EmployeeNames,
    rows.map((each) => each.assigned_employee),
  );
  return (field: Kept, row: Asset): string => {
    const value = row[field];
    if (value === null) return '';
    if (field === 'site_number') return sites.get(Number(value)) ?? String(value);
    if (field === 'assigned_employee') return (people.get(Number(value)) ?? String(value)).slice(0, 255);
    return String(value);
  };
}
