import {
  changed,
  changesBetween,
  DuplicateKey,
  duplicate,
  findHolders,
  inUse,
  invalid,
  normalised,
  notFound,
  updateCounters,
  type Activity,
  type Context,
  type New,
  type Row,
} from '@keelson/core';
import { Company } from './entities/company.ts';
import { Site } from './entities/site.ts';
import { SiteNames } from './names.ts';
import type { BuildingInput } from './site-shapes.ts';
import { writeTree } from './site-tree.ts';
import { enumerated } from './wording.ts';

type SiteRow = Row<typeof Site>;
export type NewSite = Omit<
  New<typeof Site>,
  'site_number' | 'site_key' | 'created_at' | 'updated_at' | 'deleted_at'
> & { readonly buildings?: readonly BuildingInput[] | undefined };

/** A site that is not deleted. @throws notFound */
export async function findSite(ctx: Context, siteNumber: number): Promise<SiteRow> {
  const site = await ctx.db.one(Site, { site_number: siteNumber, deleted_at: null });
  if (!site) throw notFound('Site');
  return site;
}

/** The same for somebody who is about to change it. */
export async function lockSite(ctx: Context, siteNumber: number): Promise<SiteRow> {
  const site = await ctx.db.one(Site, { site_number: siteNumber, deleted_at: null }, { lock: true });
  if (!site) throw notFound('Site');
  return site;
}

/** Adds a company's site; its name must be free within the company (V-27). @throws invalid() without such a company */
export async function createSite(ctx: Context, { buildings, ...values }: NewSite): Promise<SiteRow> {
  // Locked, so that the company is not deleted meanwhile: it would have a site.
  const company = { company_number: values.company_number, deleted_at: null };
  if (!(await ctx.db.one(Company, company, { lock: true })))
    throw invalid('company_number must be an existing company');
  if (values.is_primary) await yieldPrimary(ctx, values.company_number);
  const row = { ...values, site_key: normalised(values.site_name), created_at: ctx.now, updated_at: ctx.now };
  const siteNumber = await ctx.db.insert(Site, row).catch((error: unknown) => taken(error, values.site_name));
  if (buildings) await writeTree(ctx, siteNumber, buildings);
  const site = await findSite(ctx, siteNumber);
  updateCounters(ctx, Site, undefined, site);
  record(ctx, 'create', site, `Site ${site.site_name} created`);
  return site;
}

/**
 * Changes a site that was locked in the same transaction; `buildings` replace those it has (F-22). A change of nothing
 * changes nothing (V-16). @throws invalid() when it shall move to another company (D-20)
 */
export async function updateSite(
  ctx: Context,
  before: SiteRow,
  { buildings, company_number = before.company_number, ...wanted }: Partial<NewSite>,
): Promise<SiteRow> {
  const { site_number } = before;
  if (company_number !== before.company_number) throw invalid('company_number of a site must stay the same');
  const changes = changesBetween(before, wanted);
  const rebuilt = buildings !== undefined && (await writeTree(ctx, site_number, buildings));
  if (Object.keys(changes).length === 0 && !rebuilt) return before;
  if (wanted.is_primary && !before.is_primary) await yieldPrimary(ctx, company_number);
  const { site_name = before.site_name } = wanted;
  const set = { ...wanted, site_key: normalised(site_name), updated_at: ctx.now };
  await ctx.db.update(Site, { site_number }, set).catch((error: unknown) => taken(error, site_name));
  const after = await findSite(ctx, site_number);
  updateCounters(ctx, Site, before, after);
  await tell(ctx, site_number);
  record(ctx, 'update', after, `Site ${after.site_name} changed`, {
    ...changes,
    ...(rebuilt && { buildings: ['changed', 'changed'] as const }),
  });
  return after;
}

/** Deletes a site that was locked in the same transaction. @throws inUse() while anything is at it (V-26) */
export async function deleteSite(ctx: Context, site: SiteRow): Promise<void> {
  const { site_number, site_name } = site;
  const held = await findHolders(ctx, Site, site_number);
  if (held.length > 0) throw inUse(`Site still has ${enumerated(held)}; set it inactive instead`);
  await ctx.db.update(Site, { site_number }, { deleted_at: ctx.now, site_key: null });
  updateCounters(ctx, Site, site, undefined);
  await tell(ctx, site_number);
  record(ctx, 'delete', site, `Site ${site_name} deleted`);
}

/** A company has one primary site. */
async function yieldPrimary(ctx: Context, companyNumber: number): Promise<void> {
  const other = { company_number: companyNumber, is_primary: true, deleted_at: null };
  await ctx.db.update(Site, other, { is_primary: false, updated_at: ctx.now });
}

/** Tells the caches of this process at once, and the others within two seconds. */
async function tell(ctx: Context, siteNumber: number): Promise<void> {
  changed(ctx, Site);
  if (ctx.tx) await ctx.app.names.changed(ctx.tx, SiteNames, siteNumber);
}

function taken(error: unknown, siteName: string): never {
  if (error instanceof DuplicateKey) throw duplicate(`site_name ${siteName} already exists`);
  throw error;
}

function record(
  ctx: Context,
  action: Activity['action'],
  { site_number }: SiteRow,
  description: string,
  changes: Activity['changes'] = {},
): void {
  ctx.record({ action, entity_type: 'site', entity_id: site_number, description, changes });
}
