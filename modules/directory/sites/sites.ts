// Sites: the locations of a company's people and assets.
import {
  by,
  change,
  changeAll,
  create,
  invalid,
  IsNull,
  normalised,
  record,
  searched,
  view,
  type Context,
  type Given,
  type Row,
  type Wanted,
} from '@keelson/core';
import { Site } from '../entities/site.ts';
import { CompanyNames, SiteNames } from '../names.ts';
import { holdCompany } from '../references.ts';
import { enumerated } from '../wording.ts';
import type { BuildingInput } from './building-shapes.ts';
import { writeBuildings } from './buildings.ts';

type SiteRow = Row<typeof Site>;
type Buildings = { readonly buildings?: readonly BuildingInput[] | undefined };

export const Sites = record(Site, {
  title: 'Site',
  call: ({ site_name }) => site_name,
  filters: (its) => ({
    company_number: its.is('company_number'),
    search: searched(Site),
  }),
  sorts: { site_name: by('site_name') },
  order: 'asc',
  names: SiteNames,
  taken: ({ site_name }) => `site_name ${site_name} already exists`,
  held: (_site, by) => `Site still has ${enumerated(by)}; set it inactive instead`,
  derive: ({ site_name }) => ({ site_key: normalised(site_name) }),
  async prepare(ctx, after, before) {
    const { company_number } = after;
    if (!before) await holdCompany(ctx, company_number);
    // Its assets and tickets belong to the company (D-20).
    else if (company_number !== before.company_number) throw invalid('company_number of a site cannot be changed');
    if (after.is_primary && !before?.is_primary) await yieldPrimary(ctx, company_number);
  },
});

/** A site in lists. */
export const SiteItem = view(Sites, {
  more: (its) => ({
    company_name: its.name(CompanyNames, 'company_number'),
    employee_count: its.statistic('employee_count'),
    asset_count: its.statistic('asset_count'),
  }),
});

/** Creates a company's site with its buildings; its name must be unique within the company (V-27). */
export function createSite(ctx: Context, { buildings, ...given }: Given<typeof Sites> & Buildings): Promise<SiteRow> {
  return create(ctx, Sites, given, {
    store: async ({ site_number }) => {
      if (buildings) await writeBuildings(ctx, site_number, buildings);
    },
  });
}

/** Changes a site that was locked in the same transaction. `buildings` replace the existing ones (F-22). */
export async function updateSite(
  ctx: Context,
  site: SiteRow,
  { buildings, ...wanted }: Wanted<typeof Sites> & Buildings,
): Promise<SiteRow> {
  const rebuilt = buildings !== undefined && (await writeBuildings(ctx, site.site_number, buildings));
  return change(ctx, Sites, site, wanted, { extra: rebuilt ? { buildings: ['changed', 'changed'] } : {} });
}

/** Clears the current primary site; a company has only one. */
async function yieldPrimary(ctx: Context, company_number: number): Promise<void> {
  const primary = await ctx.db.find(Site, {
    where: { company_number, is_primary: true, deleted_at: IsNull() },
    lock: { mode: 'pessimistic_write' },
  });
  await changeAll(ctx, Sites, primary, { is_primary: false });
}
