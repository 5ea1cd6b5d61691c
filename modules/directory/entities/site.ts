import { choice, flag, id, key, ref, table, text, when } from '@keelson/core';
import { Company } from './company.ts';

export const Site = table(
  'site',
  {
    site_number: id(),
    company_number: ref(Company),
    site_name: text(255),
    site_key: key().nullable().hidden(),
    address: text(255).default(''),
    city: text(255).default(''),
    state: text(255).default(''),
    zip: text(32).default(''),
    country: text(255).default(''),
    phone: text(32).default(''),
    status: choice('active', 'inactive').default('active'),
    is_primary: flag().default(false),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [],
  { unique: [['company_number', 'site_key']] },
);
