// Product keys: stored sealed, listed by their last characters, and revealed only one at a time (I-03).
import { z, type App, type Context } from '@keelson/core';
import { chargeReveal } from '@keelson/core/surfaces';
import { License } from './entities.ts';

type Owner = Pick<License, 'license_id' | 'company_number'>;

const SHOWN = 4;
/** For a shorter key, four characters would be more than half of it. */
const SHORTEST_SHOWN = 8;

/** Returns the last characters for the mask; '' if the key is too short to show any. */
export function endOf(key: string | null): string | null {
  if (key === null) return null;
  const letters = Array.from(key);
  return letters.length < SHORTEST_SHOWN ? '' : letters.slice(-SHOWN).join('');
}

/** Returns the masked key, such as `****-1A2B`; null without a key. */
export function maskOf({ key_end }: Pick<License, 'key_end'>): string | null {
  if (key_end === null) return null;
  return key_end === '' ? '****' : `****-${key_end}`;
}

export function seal(app: App, license: Owner, key: string | null): string | null {
  return key === null ? null : app.vault.seal(key, sealedFor(license));
}

/** Stores the key of a new license. The seal includes the id, so the key cannot be inserted with the row. */
export async function storeKey(ctx: Context, license: License, key: string): Promise<void> {
  license.product_key = seal(ctx.app, license, key);
  await ctx.db.update(License, { license_id: license.license_id }, { product_key: license.product_key });
}

export const RevealedKey = z.object({ license_id: z.int(), product_key: z.string().nullable() });

/**
 * Reveals the key of a license. The activity log entry is committed before the key is decrypted.
 * @throws as chargeReveal
 */
export async function revealKey(ctx: Context, license: License): Promise<z.infer<typeof RevealedKey>> {
  await chargeReveal(ctx);
  const { license_id, name, product_key } = license;
  const description = `Product key of license ${name} revealed`;
  await ctx.transaction(async (inside) =>
    inside.record({ action: 'update', entity_type: 'license', entity_id: license_id, description }),
  );
  return { license_id, product_key: product_key && ctx.app.vault.open(product_key, sealedFor(license)) };
}

const sealedFor = ({ company_number, license_id }: Owner): string =>
  `company ${company_number} license ${license_id} product_key`;
