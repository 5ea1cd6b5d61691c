import { admin, created, input, item, list, nothing, param, z } from '@keelson/core';
import { ReadCompanies, WriteCompanies } from '../../permissions.ts';
import { listSites, readSite } from '../../site-list.ts';
import { BuildingInput, SiteDetail, SiteHierarchy, SiteItem, siteStatuses } from '../../site-shapes.ts';
import { createSite, deleteSite, findSite, lockSite, updateSite } from '../../sites.ts';

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
    query: admin.paging({ company_number: param.id(), search: param.search() }),
    returns: list(SiteItem),
    handle: (ctx, { query }) => listSites(ctx, query),
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
    load: (ctx, { id }) => findSite(ctx, id),
    handle: (ctx, { item: site }) => readSite(ctx, site),
  }),
  admin.put('/sites.php?id={id}', {
    title: 'Update a site and its buildings',
    access: WriteCompanies,
    body: input.changes({ company_number: input.id(), site_name: input.text(255, { compared: true }), ...fields }),
    returns: item(SiteDetail),
    load: (ctx, { id }) => lockSite(ctx, id),
    handle: async (ctx, { item: site, body }) => readSite(ctx, await updateSite(ctx, site, body)),
  }),
  admin.delete('/sites.php?id={id}', {
    title: 'Delete a site',
    access: WriteCompanies,
    returns: nothing(),
    load: (ctx, { id }) => lockSite(ctx, id),
    handle: (ctx, { item: site }) => deleteSite(ctx, site),
  }),
  admin.get('/sites.php?action=hierarchy&id={id}', {
    title: 'Read the buildings of a site',
    access: ReadCompanies,
    returns: item(SiteHierarchy),
    load: (ctx, { id }) => findSite(ctx, id),
    handle: (ctx, { item: site }) => readSite(ctx, site),
  }),
];
