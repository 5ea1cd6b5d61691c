import { IsNull } from '@keelson/core';
import type { Context } from '@keelson/core';
import { signedOut } from '@keelson/core/system';
import { codeAccount } from '@keelson/modules/directory';
import { SecondFactor } from '../entities.ts';
import { guess } from '../sessions/guess.ts';
import { findFactor, openKey, type Factor, type OwnerId } from './factor.ts';
import { useRecoveryCode } from './recovery-codes.ts';
import { totpStep } from './totp.ts';

/** A code from the authenticator app, or a recovery code. */
export interface GivenCode {
  readonly otp?: string | undefined;
  readonly recovery_code?: string | undefined;
}

/** Distinguishes the two kinds of code, since forms have one field for both. */
export function givenCode(text: string): GivenCode {
  const plain = text.replace(/\s/g, '');
  return /^\d{6}$/.test(plain) ? { otp: plain } : { recovery_code: text };
}

/**
 * Requires the second factor, if the person has one, after a correct password (SF-31).
 * @throws signedOut() with `mfa_required` when the code is missing or wrong; `too-many` after too many wrong ones
 */
export async function requireSecondFactor(ctx: Context, owner: OwnerId, given: GivenCode): Promise<void> {
  const factor = await findFactor(ctx, owner);
  if (!factor) return;
  const required = { mfa_required: true };
  if (!given.otp && !given.recovery_code) throw signedOut('A code from your authenticator app is required', required);
  if (await checkCode(ctx, owner, factor, given)) return;
  ctx.log.info({ kind: owner.kind, ip: ctx.request.ip }, 'second factor rejected');
  throw signedOut('Invalid code, or already used', required);
}

/** Checks that the code is right and unused. Wrong codes count as guesses. @throws `too-many` */
export async function checkCode(ctx: Context, owner: OwnerId, factor: Factor, given: GivenCode): Promise<boolean> {
  const { kind, id, device } = owner;
  const { ok } = await guess(ctx, { account: codeAccount(kind, id), device }, async () => ({
    ok: given.otp
      ? await useOtp(ctx, owner, factor, given.otp)
      : await useRecoveryCode(ctx, owner, factor, given.recovery_code ?? ''),
  }));
  return ok;
}

async function useOtp(ctx: Context, owner: OwnerId, factor: Factor, otp: string): Promise<boolean> {
  const { factor_id, sealed_key, used_step: usedStep } = factor;
  // The master key that sealed it was given up: a recovery code still works.
  if (!ctx.app.vault.knows(sealed_key)) return false;
  const used_step = await totpStep(openKey(ctx, owner, factor), otp.replace(/\s/g, ''), { now: ctx.now, usedStep });
  if (used_step === undefined) return false;
  // Compare and set: a concurrent request with the same code no longer finds the step it read.
  return (
    (await ctx.db.update(SecondFactor, { factor_id, used_step: usedStep ?? IsNull() }, { used_step })).affected === 1
  );
}
