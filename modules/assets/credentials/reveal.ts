// Revealing one stored secret to somebody who asks for it by name: limited, and told in the activity log first (AS-06).
import { tooMany, z, type Access, type Admin, type Context, type Permission } from '@keelson/core';
import type { Asset } from '../entities/asset.ts';
import type { AssetCredential } from '../entities/parts.ts';
import { openPassword } from './credentials.ts';

const PER_MINUTE = 10;

export const RevealedCredential = z.object({
  login_id: z.int(),
  asset_id: z.int(),
  label: z.string(),
  username: z.string(),
  password: z.string().nullable(),
});

/** Access for technicians with the permission, and for keys that may also reveal secrets. */
export function revealers(permission: Permission<Admin>): Access<Admin> {
  return Object.freeze({
    title: `${permission.name} (keys: allow_reveal)`,
    allows: (actor: Admin) => permission.allows(actor) && (actor.kind === 'technician' || actor.allow_reveal),
  });
}

/** Charges somebody for revealing a secret, of whatever kind. @throws tooMany() beyond ten a minute */
export async function chargeReveal({ app, author }: Context): Promise<void> {
  const { allowed, retryAfter } = await app.limiter.take(`reveal:${author.type}:${author.id}`, PER_MINUTE);
  if (!allowed) throw tooMany(retryAfter);
}

/** The password of a login. Opens its own transaction: the log line is committed before the password is read. */
export async function revealCredential(ctx: Context, asset: Asset, credential: AssetCredential) {
  await chargeReveal(ctx);
  const { login_id, label } = credential;
  await ctx.transaction(async (inside) =>
    inside.record({
      action: 'update',
      entity_type: 'asset_credential',
      entity_id: login_id,
      description: `Password of ${label} of ${asset.machine_name} revealed`,
    }),
  );
  return { ...credential, password: openPassword(ctx, asset, credential) };
}
