import { choice, id, key, ref, table, text, when, type Row } from '@keelson/core';
import { Company, Technician } from '@keelson/modules/directory';

export const prospectStatuses = ['active', 'inactive', 'converted'] as const;
export type ProspectStatus = (typeof prospectStatuses)[number];

/** A company that may become a customer: the CRM's "prospect account". */
export const Prospect = table(
  'prospect',
  {
    prospect_id: id(),
    name: text(255),
    /** The normalised name; unique until the prospect is deleted (V-25, V-28). */
    name_key: key().nullable().unique().hidden(),
    industry: text(255).default(''),
    website: text(2048).default(''),
    phone: text(32).default(''),
    email: text(254).default(''),
    address: text(255).default(''),
    city: text(255).default(''),
    state: text(255).default('').titled('State or province'),
    zip: text(32).default(''),
    country: text(255).default(''),
    status: choice(...prospectStatuses).default('active'),
    assigned_to: ref(Technician).nullable(),
    /** The customer it became. */
    company_number: ref(Company).nullable(),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [
    ['name', 'prospect_id', 'deleted_at'],
    ['status', 'name', 'prospect_id', 'deleted_at'],
    ['industry', 'name', 'prospect_id', 'deleted_at'],
    ['assigned_to'],
    ['company_number'],
  ],
);
export type Prospect = Row<typeof Prospect>;
