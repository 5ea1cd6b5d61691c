// Finds the technician for a provider identity.
import { IsNull, normalised, type Context, type Row } from '@keelson/core';
import { worded } from '@keelson/core/plugin';
import { Technician } from '@keelson/modules/directory';
import { providerBounds, type ProviderKey } from '@keelson/modules/system';
import { TechnicianIdentity } from '../entities.ts';
import { recordAccess } from '../factors/factor.ts';
import { domainOf, googleOwns, isOutside, NOT_GOOGLES, OUTSIDE, sameMailbox } from './bounds.ts';
import type { OidcPerson } from './oidc.ts';

type TechnicianRow = Row<typeof Technician>;

/**
 * Finds the active technician for a provider identity: the linked one, or at the first sign-in the one whose address
 * the provider has verified. Otherwise returns the reason, for the log. Runs in a transaction.
 */
export async function technicianOf(
  ctx: Context,
  provider: ProviderKey,
  person: OidcPerson,
): Promise<TechnicianRow | string> {
  const { issuer, subject } = person;
  const link = await ctx.db.findOne(TechnicianIdentity, {
    where: { issuer, subject },
    lock: { mode: 'pessimistic_write' },
  });
  if (!link) return linkByEmail(ctx, provider, person);
  const linked = await ctx.db.findOneBy(Technician, { user_id: link.user_id, active: true, deleted_at: IsNull() });
  if (!linked) return 'the technician is inactive';
  // The link may be older than the bounds.
  if (isOutside(await providerBounds(ctx, provider), domainOf(linked.email))) return OUTSIDE;
  await ctx.db.update(TechnicianIdentity, { identity_id: link.identity_id }, { last_used_at: ctx.now });
  return linked;
}

async function linkByEmail(
  ctx: Context,
  provider: ProviderKey,
  { issuer, subject, verifiedEmail, hostedDomain }: OidcPerson,
): Promise<TechnicianRow | string> {
  if (verifiedEmail === undefined) return 'the provider has not verified the address';
  const technician = await ctx.db.findOneBy(Technician, {
    email_key: normalised(verifiedEmail),
    active: true,
    deleted_at: IsNull(),
  });
  if (!technician || !sameMailbox(technician.email, verifiedEmail)) return 'no active technician has the address';
  const bounds = await providerBounds(ctx, provider);
  const domain = domainOf(verifiedEmail);
  if (isOutside(bounds, domain)) return OUTSIDE;
  if (bounds.domains.length === 0 && !googleOwns(provider, domain, hostedDomain)) return NOT_GOOGLES;
  const { user_id } = technician;
  // The provider has reassigned the address to another person.
  const other = await ctx.db.findOne(TechnicianIdentity, {
    where: { user_id, issuer },
    lock: { mode: 'pessimistic_write' },
  });
  if (other) return 'the technician is linked to another account at this provider';
  await ctx.db.insert(TechnicianIdentity, {
    user_id,
    issuer,
    subject,
    created_at: ctx.now,
    last_used_at: ctx.now,
  });
  const told = worded('Your account was linked to {provider}. You can now sign in with it.', { provider });
  await recordAccess(ctx, { kind: 'technician', id: user_id }, `Linked to an account at ${provider}`, told);
  return technician;
}
