import { z } from '@keelson/core';
import { ShownPages } from '@keelson/core/system';
import { IdentityProvider } from './identity-providers.ts';
import { ColorShape } from './settings.ts';

export const BrandingShape = z.object({
  company_name: z.string(),
  logo_url: z.string(),
  favicon_url: z.string(),
  colors: ColorShape,
});

export const Bootstrap = z.object({
  tenant: z.object({ slug: z.string(), name: z.string() }),
  branding: BrandingShape,
  user: z
    .object({
      employee_number: z.int(),
      first_name: z.string(),
      last_name: z.string(),
      email: z.string(),
      company_name: z.string(),
      permissions: z.object({
        can_create_tickets: z.boolean(),
        can_view_assets: z.boolean(),
        can_view_billing: z.boolean(),
      }),
    })
    .nullable(),
  features: z.record(z.string(), z.boolean()),
  oauth_providers: z.array(IdentityProvider),
  api_version: z.literal('v1'),
});

/** Start data of the console. */
export const Console = z.object({
  person: z.object({
    id: z.int().nullable(),
    email: z.string().nullable(),
    name: z.string(),
    role: z.enum(['administrator', 'technician']),
  }),
  tenant: z.object({ name: z.string(), currency: z.string() }),
  /** The language of the person, their company or the provider; null for the browser's. */
  language: z.string().nullable(),
  permissions: z.array(z.string()),
  ...ShownPages.shape,
});

/** Start data of the portal. */
export const Portal = z.object({
  person: z.object({
    employee_number: z.int(),
    name: z.string(),
    email: z.string(),
    company: z.object({ company_number: z.int(), name: z.string() }),
    ismgr: z.boolean(),
    it_privileges: z.boolean(),
    can_create_tickets: z.boolean(),
    can_view_billing: z.boolean(),
    asset_edit: z.enum(['None', 'Read Only', 'Modify']),
  }),
  tenant: z.object({ name: z.string(), currency: z.string() }),
  /** The language of the person, their company or the provider; null for the browser's. */
  language: z.string().nullable(),
  permissions: z.array(z.string()),
  ...ShownPages.shape,
});

export const Module = z.object({ key: z.string(), name: z.string(), enabled: z.boolean() });

/** Dropdown item (F-66); some lists have extra members. */
export const DropdownItem = z
  .object({ id: z.int(), value: z.string(), label: z.string(), active: z.boolean(), sort_order: z.int() })
  .catchall(z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** Plugin of the installation (NW-17). */
export const InstalledPlugin = z.object({
  id: z.string(),
  title: z.string(),
  version: z.string().nullable(),
  source: z.enum(['module', 'plugin']),
  state: z.enum(['running', 'failed', 'left_out']),
  problems: z.array(z.string()),
  permissions: z.array(z.string()),
  events: z.array(z.string()),
});

/** Permission available to API keys. */
export const DeclaredPermission = z.object({
  name: z.string(),
  surface: z.string(),
  controls: z.string(),
  plugin: z.string(),
});

/** Job with its last run. */
export const JobState = z.object({
  name: z.string(),
  title: z.string(),
  cron: z.string(),
  last_run_at: z.iso.datetime().nullable(),
  outcome: z.enum(['running', 'done', 'failed']).nullable(),
  error: z.string().nullable(),
  duration_ms: z.int().nullable(),
  next_run_at: z.iso.datetime().nullable(),
});
