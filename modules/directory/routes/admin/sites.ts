import { admin, findOr404, input, item, nounRoutes, z } from '@keelson/core';
import { siteStatuses } from '../../entities/site.ts';
import { ReadCompanies, WriteCompanies } from '../../permissions.ts';
import { BuildingInput } from '../../sites/building-shapes.ts';
import { readSite, SiteDetail, SiteHierarchy } from '../../sites/site-detail.ts';
import { createSite, SiteItem, Sites, updateSite } from '../../sites/sites.ts';

export default [
  ...nounRoutes(admin, '/sites.php?id={id}', Sites, {
    titles: {
      list: 'List all sites',
      create: 'Create a site',
      read: 'Read a site with its buildings',
      update: 'Update a site and its buildings',
      delete: 'Delete a site',
    },
    read: ReadCompanies,
    write: WriteCompanies,
    view: SiteItem,
    detail: { shape: SiteDetail, show: readSite },
    fields: {
      company_number: input.id(),
      site_name: input.text(255, { compared: true }),
      address: input.optionalText(255),
      city: input.optionalText(255),
      state: input.optionalText(255).meta({ title: 'State or province' }),
      zip: input.optionalText(32),
      country: input.optionalText(255),
      phone: input.phone(),
      status: input.optional(input.choice(siteStatuses)),
      is_primary: input.optional(input.flag()),
      buildings: z.array(BuildingInput).max(500).optional(),
    },
    create: createSite,
    change: updateSite,
  }),
  admin.get('/sites.php?action=hierarchy&id={id}', {
    title: 'Read the buildings of a site',
    access: ReadCompanies,
    returns: item(SiteHierarchy),
    load: (ctx, { id }) => findOr404(ctx, Sites, id),
    handle: (ctx, { item: site }) => readSite(ctx, site),
  }),
];
