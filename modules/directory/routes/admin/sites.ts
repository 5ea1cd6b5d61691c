import { admin, created, findOr404, input, item, list, lock, nothing, pageOf, remove, z } from '@keelson/core';
import { siteStatuses } from '../../entities/site.ts';
import { ReadCompanies, WriteCompanies } from '../../permissions.ts';
import { BuildingInput } from '../../sites/building-shapes.ts';
import { readSite, SiteDetail, SiteHierarchy } from '../../sites/site-detail.ts';
import { createSite, SiteItem, Sites, updateSite } from '../../sites/sites.ts';

const fields = {
  address: input.optionalText(255),
  city: input.optionalText(255),
  state: input.optionalText(255),
  zip: input.optionalText(32),
  country: input.optionalText(255),
  phone: input.phone(),
  status: input.optional(input.choice(siteStatuses)),
  is_primary: input.optional(input.flag()),
  buildings: z.array(BuildingInput).max(500).optional(),
};

export default [
  admin.get('/sites.php', {
    title: 'List all sites',
    access: ReadCompanies,
    query: admin.paging(SiteItem.query),
    returns: list(SiteItem),
    handle: (ctx, { query }) => pageOf(ctx, SiteItem, query),
  }),
  admin.post('/sites.php', {
    title: 'Create a site',
    access: WriteCompanies,
    body: z.object({ company_number: input.id(), site_name: input.text(255, { compared: true }), ...fields }),
    returns: created(SiteDetail),
    handle: async (ctx, { body }) => readSite(ctx, await createSite(ctx, body)),
  }),
  admin.get('/sites.php?id={id}', {
    title: 'Read a site with its buildings',
    access: ReadCompanies,
    returns: item(SiteDetail),
    load: (ctx, { id }) => findOr404(ctx, Sites, id),
    handle: (ctx, { item: site }) => readSite(ctx, site),
  }),
  admin.put('/sites.php?id={id}', {
    title: 'Update a site and its buildings',
    access: WriteCompanies,
    body: input.changes({ company_number: input.id(), site_name: input.text(255, { compared: true }), ...fields }),
    returns: item(SiteDetail),
    load: (ctx, { id }) => lock(ctx, Sites, id),
    handle: async (ctx, { item: site, body }) => readSite(ctx, await updateSite(ctx, site, body)),
  }),
  admin.delete('/sites.php?id={id}', {
    title: 'Delete a site',
    access: WriteCompanies,
    returns: nothing(),
    load: (ctx, { id }) => lock(ctx, Sites, id),
    handle: (ctx, { item: site }) => remove(ctx, Sites, site),
  }),
  admin.get('/sites.php?action=hierarchy&id={id}', {
    title: 'Read the buildings of a site',
    access: ReadCompanies,
    returns: item(SiteHierarchy),
    load: (ctx, { id }) => findOr404(ctx, Sites, id),
    handle: (ctx, { item: site }) => readSite(ctx, site),
  }),
];
