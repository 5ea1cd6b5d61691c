import { z } from '@keelson/core';
import { ApiKey } from './entities.ts';

export const LoginUser = z.object({
  employee_number: z.int(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  company_name: z.string(),
});

export const AccessGrant = z.object({
  success: z.boolean(),
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
});

export const SignedIn = AccessGrant.extend({ refresh_token: z.string(), user: LoginUser });

/** Includes the successor of the token that was sent. */
export const Refreshed = AccessGrant.extend({ refresh_token: z.string() });

/** The signed-in user, with the roles that determine which menus a client shows. */
export const SessionState = z.object({
  authenticated: z.boolean(),
  user: LoginUser.extend({
    company_number: z.int(),
    ismgr: z.boolean(),
    it_privileges: z.boolean(),
    asset_edit: z.enum(['None', 'Read Only', 'Modify']),
  }),
});

export const Profile = z.object({
  employee_number: z.int(),
  company_number: z.int(),
  site_number: z.int().nullable(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone: z.string(),
  mobile: z.string(),
  title: z.string(),
  department: z.string(),
  company_name: z.string(),
  site_name: z.string().nullable(),
  permissions: z.object({
    can_create_tickets: z.boolean(),
    can_view_assets: z.boolean(),
    can_view_billing: z.boolean(),
  }),
});

/** An API key as listed (F-69). `api_key` is its first characters and stars. */
export const ApiKeyShape = ApiKey.shape.extend({
  api_key: z.string(),
  /** `suspended`: the grantor is gone; the key is refused until an administrator saves its permissions. */
  state: z.enum(['active', 'expired', 'suspended']),
  granted_by: z.string(),
});

/** The only response with the full secret in `api_key` (S-15). */
export const ApiKeyMade = z.object({ success: z.literal(true), data: ApiKeyShape, message: z.string() });

export const Confirmation = z.object({ success: z.boolean(), message: z.string() });

/** The state of a person's second factor (SF-31). */
export const SecondFactorState = z.object({
  enabled: z.boolean(),
  enabled_at: z.iso.datetime().nullable(),
  recovery_codes_left: z.int(),
});
