// Linked provider identities, as shown to their owners and to administrators.
import { In, notFound, type Context } from '@keelson/core';
import { worded } from '@keelson/core/plugin';
import { providerKeys, providerSettings } from '@keelson/modules/system';
import { LinkedIdentity, TechnicianIdentity } from '../entities.ts';
import { recordAccess, type OwnerId } from '../factors/factor.ts';

/** A provider identity linked to an employee or a technician. */
export interface OwnIdentity {
  readonly identity_id: number;
  /** `okta`; null when the provider is no longer configured. */
  readonly provider: string | null;
  readonly issuer: string;
  readonly created_at: string;
  readonly last_used_at: string;
}

/** Lists the owner's identities, newest first. */
export async function listIdentities(ctx: Context, { kind, id }: OwnerId): Promise<OwnIdentity[]> {
  const order = { identity_id: 'DESC' } as const;
  const rows =
    kind === 'employee'
      ? await ctx.db.find(LinkedIdentity, { where: { employee_number: id }, order })
      : await ctx.db.find(TechnicianIdentity, { where: { user_id: id }, order });
  const issuers = new Map<string | undefined, string>();
  for (const key of providerKeys) issuers.set((await providerSettings(ctx, key)).issuer, key);
  return rows.map(({ identity_id, issuer, created_at, last_used_at }) => ({
    identity_id,
    provider: issuers.get(issuer) ?? null,
    issuer,
    created_at,
    last_used_at,
  }));
}

/** Returns which of these employees have an identity. */
export async function readLinked({ db }: Context, numbers: readonly number[]): Promise<ReadonlyMap<number, boolean>> {
  const rows = await db.findBy(LinkedIdentity, { employee_number: In([...numbers]) });
  return new Map(rows.map(({ employee_number }) => [employee_number, true]));
}

/** Removes one identity. The provider can no longer sign its owner in until it is linked again. @throws notFound() */
export async function removeIdentity(ctx: Context, owner: OwnerId, identity_id: number): Promise<void> {
  if (!(await remove(ctx, owner, { identity_id }))) throw notFound('Identity');
}

/** Removes all identities of the owner, as a password reset does. Returns whether there were any. Runs in a transaction. */
export function removeIdentities(ctx: Context, owner: OwnerId): Promise<boolean> {
  return remove(ctx, owner, {});
}

async function remove(ctx: Context, owner: OwnerId, one: { readonly identity_id?: number }): Promise<boolean> {
  const { affected } =
    owner.kind === 'employee'
      ? await ctx.db.delete(LinkedIdentity, { ...one, employee_number: owner.id })
      : await ctx.db.delete(TechnicianIdentity, { ...one, user_id: owner.id });
  if (affected === 0) return false;
  const told = worded('Your account was unlinked from an identity provider.');
  await recordAccess(ctx, owner, 'Unlinked an identity provider', told);
  return true;
}
