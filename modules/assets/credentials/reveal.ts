// Reveals one stored secret on an explicit request. Rate-limited, and recorded in the activity log first (AS-06).
import { z, type Context } from '@keelson/core';
import { chargeReveal } from '@keelson/core/surfaces';
import type { Asset } from '../entities/asset.ts';
import type { AssetCredential } from '../entities/parts.ts';
import { openPassword } from './credentials.ts';

export const RevealedCredential = z.object({
  login_id: z.int(),
  asset_id: z.int(),
  label: z.string(),
  username: z.string(),
  password: z.string().nullable(),
});

/**
 * Returns the password of a credential. Opens its own transaction: the log entry is committed before the password is
 * read.
 */
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
