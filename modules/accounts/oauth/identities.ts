// An employee's linked provider identities, as shown to them and to administrators.
import { notFound, type Context } from '@keelson/core';
import { worded } from '@keelson/core/plugin';
import { providerKeys, providerSettings } from '@keelson/modules/system';
import { LinkedIdentity } from '../entities.ts';
import { recordAccess } from '../factors/factor.ts';

/** A provider identity linked to an employee. */
export interface OwnIdentity {
  readonly identity_id: number;
  /** `okta`; null when the provider is no longer configured. */
  readonly provider: string | null;
  readonly issuer: string;
  readonly created_at: string;
  readonly last_used_at: string;
}

/** Lists the employee's identities, newest first. */
export async function listIdentities(ctx: Context, employee_number: number): Promise<OwnIdentity[]> {
  const issuers = new Map<string | undefined, string>();
  for (const key of providerKeys) issuers.set((await providerSettings(ctx, key)).issuer, key);
  const rows = await ctx.db.find(LinkedIdentity, { where: { employee_number }, order: { identity_id: 'DESC' } });
  return rows.map(({ identity_id, issuer, created_at, last_used_at }) => ({
    identity_id,
    provider: issuers.get(issuer) ?? null,
    issuer,
    created_at,
    last_used_at,
  }));
}

/** Removes one identity. The provider can no longer sign its owner in until it is linked again. @throws notFound() */
export async function removeIdentity(ctx: Context, employee_number: number, identity_id: number): Promise<void> {
  if ((await ctx.db.delete(LinkedIdentity, { identity_id, employee_number })).affected === 0)
    throw notFound('Identity');
  await recordRemoval(ctx, employee_number);
}

/** Removes all identities of an employee, as a password reset does. Runs in a transaction. */
export async function removeIdentities(ctx: Context, employee_number: number): Promise<void> {
  if ((await ctx.db.delete(LinkedIdentity, { employee_number })).affected > 0)
    await recordRemoval(ctx, employee_number);
}

function recordRemoval(ctx: Context, employee_number: number): Promise<void> {
  const told = worded('Your account was unlinked from an identity provider.');
  return recordAccess(ctx, { kind: 'employee', id: employee_number }, 'Unlinked an identity provider', told);
}
