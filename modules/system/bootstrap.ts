import type { Context, EmployeeActor } from '@keelson/core';
import { readBranding } from './branding/branding.ts';
import { identityProviders } from './identity-providers.ts';

/**
 * Returns what a client needs to start (F-71). Before sign-in, the user is null and features have defaults (SY-01,
 * SY-02).
 */
export async function readBootstrap(ctx: Context<EmployeeActor | undefined>) {
  const { config, switches } = ctx.app;
  const { actor } = ctx;
  const features = actor ? await switches.of(ctx, actor.company_number) : switches.defaults();
  return {
    tenant: { slug: config.tenantSlug, name: config.tenantName },
    branding: await readBranding(ctx),
    user: actor ? bootstrapUser(actor, features) : null,
    features,
    oauth_providers: await identityProviders(ctx),
    api_version: 'v1' as const,
  };
}

/** Returns the modules enabled for the company, with titles (F-72, SY-05). */
export async function listModules(ctx: Context<EmployeeActor>) {
  const states = await ctx.app.switches.of(ctx, ctx.actor.company_number);
  const on = ctx.app.plugins.filter(({ id, perCompany }) => perCompany && states[id]);
  return on.map(({ id, title }) => ({ key: id, name: title, enabled: true }));
}

function bootstrapUser(actor: EmployeeActor, features: Readonly<Record<string, boolean>>) {
  return {
    employee_number: actor.employee_number,
    first_name: actor.first_name,
    last_name: actor.last_name,
    email: actor.email,
    company_name: actor.company_name,
    permissions: {
      can_create_tickets: actor.can_create_tickets,
      can_view_assets: actor.asset_edit !== 'None' || actor.it_privileges,
      can_view_billing: (features['billing'] ?? false) && actor.can_view_billing,
    },
  };
}
