import { z } from '@keelson/core';

/** Stored in small letters, shown with a capital (N-09). */
const status = z.enum(['Active', 'Inactive']);
const moment = z.iso.datetime();

export const CompanyItem = z.object({
  company_number: z.int(),
  customer: z.string(),
  address: z.string(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
  country: z.string(),
  phone: z.string(),
  email: z.string(),
  website: z.string(),
  industry: z.string(),
  notes: z.string(),
  status,
  site_count: z.int(),
  open_tickets: z.int(),
  created_at: moment,
  updated_at: moment,
});
export type CompanyItem = z.infer<typeof CompanyItem>;

const CompanySite = z.object({
  site_number: z.int(),
  site_name: z.string(),
  address: z.string(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
  country: z.string(),
  phone: z.string(),
  status: z.enum(['active', 'inactive']),
  is_primary: z.boolean(),
});

const Statistics = z.object({
  open_tickets: z.int(),
  total_tickets: z.int(),
  asset_count: z.int(),
  contact_count: z.int(),
  active_contracts: z.int(),
  unpaid_invoices: z.int(),
  balance_due: z.number(),
});

export const CompanyDetail = CompanyItem.extend({
  modules: z.record(z.string(), z.boolean()),
  sites: z.array(CompanySite),
  statistics: Statistics,
});
export type CompanyDetail = z.infer<typeof CompanyDetail>;
