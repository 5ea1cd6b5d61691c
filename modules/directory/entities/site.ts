import { choice, counted, statistic, flag, id, int, key, ref, table, text, when } from '@keelson/core';
import { Company } from './company.ts';

export const siteStatuses = ['active', 'inactive'] as const;

export const Site = table(
  'site',
  {
    site_number: id(),
    company_number: ref(Company),
    site_name: text(255),
    site_key: key().nullable().hidden(),
    address: text(255).default(''),
    city: text(255).default(''),
    state: text(255).default('').titled('State or province'),
    zip: text(32).default(''),
    country: text(255).default(''),
    phone: text(32).default(''),
    status: choice(...siteStatuses).default('active'),
    is_primary: flag().default(false),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [
    ['company_number', 'site_name', 'site_number', 'deleted_at'],
    ['site_name', 'site_number', 'deleted_at'],
  ],
  { unique: [['company_number', 'site_key']] },
);

export const SiteCount = counted({
  of: Site,
  dimensions: ['company_number'],
  statistics: [statistic(Company, 'site_count')],
});

export const placeKinds = ['building', 'floor', 'room', 'zone'] as const;

/** The buildings, floors, rooms and zones of a site (F-21). One table, because the four differ only in kind. */
export const SitePlace = table(
  'site_place',
  {
    place_id: id(),
    site_number: ref(Site),
    kind: choice(...placeKinds),
    /** The containing place; null for a building. */
    parent_id: int().nullable(),
    name: text(255),
    /** For a floor; 0 is the ground floor. */
    level: int().default(0),
    /** Position among siblings, in the order they were sent. */
    position: int(),
  },
  [['site_number', 'kind']],
);
