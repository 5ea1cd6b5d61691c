import { z } from '@keelson/core';
import { ColorShape } from './settings.ts';

export const OAuthProvider = z.object({ key: z.string(), name: z.string(), icon: z.string(), color: z.string() });

export const Bootstrap = z.object({
  tenant: z.object({ slug: z.string(), name: z.string() }),
  branding: z.object({
    company_name: z.string(),
    logo_url: z.string(),
    favicon_url: z.string(),
    colors: ColorShape,
  }),
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
  oauth_providers: z.array(OAuthProvider),
  api_version: z.literal('v1'),
});

export const Module = z.object({ key: z.string(), name: z.string(), enabled: z.boolean() });
