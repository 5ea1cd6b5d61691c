import { DuplicateKey, duplicate, normalised, tally, type Context, type New, type Row } from '@keelson/core';
import { Site } from './entities/site.ts';

export type NewSite = Omit<New<typeof Site>, 'site_key' | 'created_at' | 'updated_at' | 'deleted_at'>;

/** Adds a company's site; its name must be free within the company (V-27). */
export async function createSite(ctx: Context, values: NewSite): Promise<Row<typeof Site>> {
  const row = { ...values, site_key: normalised(values.site_name), created_at: ctx.now, updated_at: ctx.now };
  const siteNumber = await ctx.db.insert(Site, row).catch((error: unknown) => {
    if (error instanceof DuplicateKey) throw duplicate(`site_name ${values.site_name} already exists`);
    throw error;
  });
  ctx.record({
    action: 'create',
    entity_type: 'site',
    entity_id: siteNumber,
    description: `Site ${values.site_name} created`,
  });
  const [site] = await ctx.db.find(Site, { site_number: siteNumber });
  if (!site) throw new Error(`Site ${siteNumber} is missing right after its insert`);
  tally(ctx, Site, undefined, site);
  return site;
}
