import { choice, day, flag, id, json, ref, table, text, when, z, type Row } from '@keelson/core';
import { Company } from '@keelson/modules/directory';

export const domainStatuses = ['active', 'expired'] as const;

export const Domain = table(
  'domain',
  {
    domain_id: id(),
    domain_name: text(253),
    company_number: ref(Company),
    registrar: text(255).default(''),
    /** Derived from `expires_at` (I-08), on every write and by a job after midnight. */
    status: choice(...domainStatuses),
    registered_at: day().nullable(),
    expires_at: day().nullable(),
    auto_renew: flag().default(false),
    name_servers: json(z.array(z.string())).default([]),
    notes: text().default(''),
    /** Visible to customers; `notes` are internal to the provider (Z-15). */
    customer_notes: text().default(''),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [
    ['company_number', 'status', 'created_at', 'domain_id', 'deleted_at'],
    ['company_number', 'created_at', 'domain_id', 'deleted_at'],
    ['status', 'created_at', 'domain_id', 'deleted_at'],
    ['created_at', 'domain_id', 'deleted_at'],
    ['status', 'expires_at'],
    ['expires_at', 'domain_id'],
  ],
);
export type Domain = Row<typeof Domain>;
