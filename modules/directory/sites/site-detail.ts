// Sites with their buildings.
import { pageOf, show, z, type Context, type EmployeeActor, type OutOf, type Row } from '@keelson/core';
import type { Site } from '../entities/site.ts';
import { Building } from './building-shapes.ts';
import { readBuildings } from './buildings.ts';
import { SiteItem } from './sites.ts';

export const SiteDetail = SiteItem.shape.extend({ buildings: z.array(Building) });
export const SiteHierarchy = SiteDetail.pick({ site_number: true, site_name: true, buildings: true });

/** Lists the sites of the caller's company (D-23). */
export async function listOwnSites(
  ctx: Context<EmployeeActor>,
  paged: { readonly page: number; readonly size: number },
) {
  const { company_number } = ctx.actor;
  const { rows, total } = await pageOf(ctx, SiteItem, { ...paged, company_number });
  return { rows: await withBuildings(ctx, rows), total };
}

export async function readSite(ctx: Context, site: Row<typeof Site>) {
  const [detail] = await withBuildings(ctx, await show(ctx, SiteItem, [site]));
  if (!detail) throw new Error(`Site ${site.site_number} not found in its own query`);
  return detail;
}

async function withBuildings(ctx: Context, sites: readonly OutOf<typeof SiteItem>[]) {
  const numbers = sites.map((each) => each.site_number);
  const buildingsOf = await readBuildings(ctx, numbers);
  return sites.map((each) => ({ ...each, buildings: buildingsOf(each.site_number) }));
}
