// Product keys: stored sealed, shown by their last characters, and told in full only to those who ask for one (I-03).
import { z, type App, type Context } from '@keelson/core';
import { chargeReveal } from '@keelson/core/surfaces';
import { License } from './entities.ts';

type Owner = Pick<License, 'license_id' | 'company_number'>;

const SHOWN = 4;
/** Of a shorter key the last four characters would be half of it. */
const SHORTEST_SHOWN = 8;

/** The end of a key, for its mask; '' for one that is too short to show any of it. */
export function endOf(key: string | null): string | null {
  if (key === null) return null;
  const letters = Array.from(key);
  return letters.length < SHORTEST_SHOWN ? '' : letters.slice(-SHOWN).join('');
}

/** What is shown of a key: `****-1A2B`; null when there is none. */
export function maskOf({ key_end }: Pick<License, 'key_end'>): string | null {
  if (key_end === null) return null;
  return key_end === '' ? '****' : `****-${key_end}`;
}

export function seal(app: App, license: Owner, key: string | null): string | null {
  return key === null ? null : app.vault.seal(key, sealedFor(license));
}

/** Stores the key of a new license: its id is part of the seal, so the key cannot be inserted with the row. */
export async function storeKey(ctx: Context, license: License, key: string): Promise<void> {
  license.product_key = seal(ctx.app, license, key);
  await ctx.db.update(License, { license_id: license.license_id }, { product_key: license.product_key });
}

export const RevealedKey = z.object({ license_id: z.int(), product_key: z.string().nullable() });

/** The key of a license. The line in the activity log is committed before the key is read. @throws as chargeReveal */
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
