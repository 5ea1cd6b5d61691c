import { signedOut, type Context } from '@keelson/core';
import { totpStep } from '@keelson/core/system';
import { SecondFactor } from '../entities.ts';
import { findFactor, openKey, type Factor, type OwnerId } from './factor.ts';
import { guess } from '../sessions/guess.ts';
import { useRecoveryCode } from './recovery-codes.ts';

/** A code from the app, or one of those kept for the day it is lost. */
export interface GivenCode {
  readonly otp?: string | undefined;
  readonly recovery_code?: string | undefined;
}

/** A code as a form's single field holds it. */
export function givenCode(text: string): GivenCode {
  const plain = text.replace(/\s/g, '');
  return /^\d{6}$/.test(plain) ? { otp: plain } : { recovery_code: text };
}

/**
 * Asks for the second factor of somebody whose password was right (D7b). Whoever has none passes.
 * @throws signedOut() with `mfa_required` when the code is missing or wrong; `too-many` after too many wrong ones
 */
export async function requireSecondFactor(ctx: Context, owner: OwnerId, given: GivenCode): Promise<void> {
  const factor = await findFactor(ctx, owner);
  if (!factor) return;
  const required = { mfa_required: true };
  if (!given.otp && !given.recovery_code) throw signedOut('A code from your authenticator app is required', required);
  if (await checkCode(ctx, owner, factor, given)) return;
  ctx.log.info({ kind: owner.kind, ip: ctx.request.ip }, 'second factor refused');
  throw signedOut('The code is wrong or was used before', required);
}

/** Whether the code is right and was never given before; wrong ones count. @throws `too-many` */
export async function checkCode(ctx: Context, owner: OwnerId, factor: Factor, given: GivenCode): Promise<boolean> {
  // Counted apart from passwords: a right password must not free further guesses of the code.
  const { kind, id, device } = owner;
  const { ok } = await guess(ctx, { account: `${kind} code ${id}`, device }, async () => ({
    ok: given.otp
      ? await useOtp(ctx, owner, factor, given.otp)
      : await useRecoveryCode(ctx, owner, factor, given.recovery_code ?? ''),
  }));
  return ok;
}

async function useOtp(ctx: Context, owner: OwnerId, factor: Factor, otp: string): Promise<boolean> {
  const { factor_id, used_step: usedStep } = factor;
  const used_step = await totpStep(openKey(ctx, owner, factor), otp.replace(/\s/g, ''), { now: ctx.now, usedStep });
  if (used_step === undefined) return false;
  // Whoever moves the row on from what was read has used the code; a second request with it finds another row.
  return (await ctx.db.update(SecondFactor, { factor_id, used_step: usedStep }, { used_step })) === 1;
}
