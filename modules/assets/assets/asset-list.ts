// Asset views and lists. Separate from assets.ts, because its events carry the list fields.
import {
  by,
  In,
  is,
  IsNull,
  noun,
  param,
  searched,
  view,
  z,
  type Context,
  type EmployeeActor,
  type OutOf,
} from '@keelson/core';
import { CompanyNames, EmployeeNames, SiteNames } from '@keelson/modules/directory';
import { Asset, AssetCount, SiteAssetCount } from '../entities/asset.ts';

/** Free text: any spelling of "all" means no status filter (P-22). */
const isAll = (text: string): boolean => text.toLowerCase() === 'all';

export const assetNoun = noun(Asset, {
  title: 'Asset',
  counters: [AssetCount, SiteAssetCount],
  filters: (its) => ({
    company_number: its.is('company_number'),
    site_number: its.is('site_number'),
    type: its.by(param.text(100), (_ctx, text) => (isAll(text) ? undefined : is('asset_type', text))),
    status: its.by(param.text(100), (_ctx, text) => (isAll(text) ? undefined : is('status', text))),
    search: searched(Asset),
  }),
  sorts: { created_at: by('created_at') },
});

/** An asset in lists (F-07). */
export const AssetItem = view(assetNoun, {
  more: (its) => ({
    company_name: its.name(CompanyNames, 'company_number'),
    site_name: its.name(SiteNames, 'site_number'),
    assigned_employee_name: its.name(EmployeeNames, 'assigned_employee'),
  }),
});
export type AssetItem = OutOf<typeof AssetItem>;

/** Filter for the assets of the caller's company (AS-04, Z-01). */
export const ownCompany = ({ actor }: Context<EmployeeActor>) => [is('company_number', actor.company_number)];

/** An asset as its company's employees see it. */
export const PortalAsset = view(assetNoun, {
  more: (its) => ({
    company_name: its.name(CompanyNames, 'company_number'),
    site_name: its.name(SiteNames, 'site_number'),
    assigned_employee_name: its.name(EmployeeNames, 'assigned_employee'),
  }),
  visible: ownCompany,
});

const byName = noun(Asset, {
  title: 'Asset',
  counters: [AssetCount],
  filters: () => ({ search: searched(Asset) }),
  sorts: { machine_name: by('machine_name') },
  order: 'asc',
});

/** Dropdown options, by name (F-05). */
export const AssetOption = view(byName, {
  only: ['asset_id'],
  more: (its) => ({
    value: its.column('asset_id'),
    label: its.from(z.string(), ['machine_name'], ({ machine_name }) => machine_name),
  }),
  visible: ownCompany,
});

/** An asset as other records mention it. */
export const AssetMention = z.object({ asset_id: z.int(), machine_name: z.string() });

/** Returns the assets assigned to these employees, by name, as other records mention them (F-02). */
export async function readAssetsOf(ctx: Context, employees: readonly number[]) {
  const rows = await ctx.db.find(Asset, {
    where: { assigned_employee: In([...employees]), deleted_at: IsNull() },
    order: { machine_name: 'ASC', asset_id: 'ASC' },
  });
  const groups = Map.groupBy(rows, (each) => each.assigned_employee ?? 0);
  return new Map(
    [...groups].map(([employee, assets]) => [
      employee,
      assets.map(({ asset_id, machine_name, asset_type, status }) => ({ asset_id, machine_name, asset_type, status })),
    ]),
  );
}
