import { IsNull, secret, type Context } from '@keelson/core';
import { tokenHash } from '@keelson/core/system';
import { RecoveryCode } from '../entities.ts';
import { recordAccess, type Factor, type OwnerId } from './factor.ts';

const CODES = 10;

/** Replaces all codes with ten new ones of 80 bits, `1f0a9-…`. Stores only hashes. Runs in a transaction. */
export async function newRecoveryCodes(ctx: Context, factor_id: number): Promise<readonly string[]> {
  await removeRecoveryCodes(ctx, factor_id);
  const codes = Array.from({ length: CODES }, newCode);
  await ctx.db.insert(
    RecoveryCode,
    codes.map((code) => ({ factor_id, code_hash: tokenHash(plain(code)), used_at: null })),
  );
  return codes;
}

/** Removes all recovery codes of a factor. Runs in a transaction. */
export async function removeRecoveryCodes(ctx: Context, factor_id: number): Promise<void> {
  await ctx.db.delete(RecoveryCode, { factor_id });
}

/** Consumes a code. Returns false when it is not an unused code of the factor. Opens its own transaction. */
export function useRecoveryCode(
  ctx: Context,
  owner: OwnerId,
  { factor_id }: Factor,
  recovery_code: string,
): Promise<boolean> {
  return ctx.transaction(async (inside) => {
    const unused = { factor_id, code_hash: tokenHash(plain(recovery_code)), used_at: IsNull() };
    if ((await inside.db.update(RecoveryCode, unused, { used_at: inside.now })).affected === 0) return false;
    await recordAccess(inside, owner, 'Used a recovery code');
    return true;
  });
}

function newCode(): string {
  const digits = Buffer.from(secret(10), 'base64url').toString('hex');
  return digits.match(/.{5}/g)?.join('-') ?? digits;
}

/** Accepts codes typed in capitals, without hyphens, or with spaces. */
function plain(code: string): string {
  return code.toLowerCase().replace(/[^0-9a-z]/g, '');
}
