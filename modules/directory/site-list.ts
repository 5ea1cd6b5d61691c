// Lists of sites by name, and one with its buildings.
import {
  by,
  defineList,
  is,
  matching,
  readStatistics,
  readPage,
  type Context,
  type EmployeeActor,
  type Page,
  type Row,
} from '@keelson/core';
import { Site, SiteCount } from './entities/site.ts';
import { CompanyNames } from './names.ts';
import type { SiteDetail, SiteItem } from './site-shapes.ts';
import { readTrees } from './site-tree.ts';

const SiteList = defineList({
  table: Site,
  columns: [
    'site_number',
    'site_name',
    'company_number',
    'address',
    'city',
    'state',
    'zip',
    'country',
    'phone',
    'status',
    'is_primary',
    'created_at',
    'updated_at',
  ],
  counters: [SiteCount],
  sorts: { site_name: by('site_name') },
});
type Listed = NonNullable<(typeof SiteList)['Row']>;

interface Paged {
  readonly page: number;
  readonly size: number;
}
interface Asked extends Paged {
  readonly company_number?: number | undefined;
  readonly search?: string | undefined;
}

/** A page of all sites. */
export async function listSites(ctx: Context, asked: Asked): Promise<Page<SiteItem>> {
  const { rows, total } = await readSites(ctx, asked);
  return { rows: await toItems(ctx, rows), total };
}

/** The sites of the signed-in person's company, with their buildings (D-23). */
export async function listOwnSites(ctx: Context<EmployeeActor>, paged: Paged): Promise<Page<SiteDetail>> {
  const { rows, total } = await readSites(ctx, { ...paged, company_number: ctx.actor.company_number });
  return { rows: await toDetails(ctx, rows), total };
}

/** A site with its buildings. */
export async function readSite(ctx: Context, site: Row<typeof Site>): Promise<SiteDetail> {
  const [detail] = await toDetails(ctx, [site]);
  if (!detail) throw new Error(`Site ${site.site_number} has no detail`);
  return detail;
}

function readSites(ctx: Context, { company_number, search, page, size }: Asked): Promise<Page<Listed>> {
  const where = [
    ...(company_number ? [is('company_number', company_number)] : []),
    ...(search ? [matching(search, ['site.site_name', 'site.address'])] : []),
  ];
  return readPage(ctx.db, SiteList, { where, sort: 'site_name', direction: 'asc', page, size });
}

async function toDetails(ctx: Context, sites: readonly Listed[]): Promise<SiteDetail[]> {
  const treeOf = await readTrees(
    ctx,
    sites.map((each) => each.site_number),
  );
  return (await toItems(ctx, sites)).map((each) => ({ ...each, buildings: treeOf(each.site_number) }));
}

async function toItems(ctx: Context, sites: readonly Listed[]): Promise<SiteItem[]> {
  const numbers = sites.map((each) => each.site_number);
  const figuresOf = await readStatistics(ctx, Site, numbers, ['employee_count', 'asset_count']);
  const names = await ctx.app.names.get(
    ctx.db,
    CompanyNames,
    sites.map((each) => each.company_number),
  );
  return sites.map((each) => ({
    ...each,
    company_name: names.get(each.company_number) ?? '',
    ...figuresOf(each.site_number),
  }));
}
