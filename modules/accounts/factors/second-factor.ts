import { conflict, invalid, IsNull, MoreThan, plus, type Context } from '@keelson/core';
import { worded } from '@keelson/core/plugin';
import { codeAccount, forgetGuesses } from '@keelson/modules/directory';
import { RecoveryCode, SecondFactor } from '../entities.ts';
import { providerName } from '../provider-name.ts';
import {
  findFactor,
  ofOwner,
  openKey,
  recordAccess,
  sealKey,
  type Factor,
  type Owner,
  type OwnerId,
} from './factor.ts';
import { newRecoveryCodes, removeRecoveryCodes } from './recovery-codes.ts';
import { checkCode, type GivenCode } from './second-factor-check.ts';
import { newTotpKey, totpStep, totpUri } from './totp.ts';

// Authenticator apps as second factor of employees and technicians (SF-31). Set-up has two steps: generate a key, then
// prove with a first code that the app has it.

export interface FactorState {
  readonly enabled: boolean;
  readonly enabled_at: string | null;
  readonly recovery_codes_left: number;
}

/** Returns the public state of a second factor. */
export async function factorState(ctx: Context, owner: OwnerId): Promise<FactorState> {
  const factor = await findFactor(ctx, owner);
  if (!factor) return { enabled: false, enabled_at: null, recovery_codes_left: 0 };
  const recovery_codes_left = await ctx.db.countBy(RecoveryCode, { factor_id: factor.factor_id, used_at: IsNull() });
  return { enabled: true, enabled_at: factor.enabled_at, recovery_codes_left };
}

export interface NewKey {
  /** In base32, for typing by hand. */
  readonly secret: string;
  readonly otpauth_uri: string;
}

/** Generates a pending key, replacing any earlier pending one. Opens its own transaction. @throws conflict() */
export async function beginFactor(ctx: Context, owner: Owner): Promise<NewKey> {
  const secret = await newTotpKey();
  const sealed_key = sealKey(ctx, owner, secret);
  await ctx.transaction(async (inside) => {
    const known = await inside.db.findOne(SecondFactor, { where: ofOwner(owner), lock: { mode: 'pessimistic_write' } });
    if (known?.enabled_at) throw conflict('Two-factor authentication is already set up');
    const pending = { sealed_key, used_step: null, created_at: inside.now };
    if (known) await inside.db.update(SecondFactor, { factor_id: known.factor_id }, pending);
    else await inside.db.insert(SecondFactor, { ...ofOwner(owner), ...pending });
    await recordAccess(inside, owner, 'Started setting up two-factor authentication');
  });
  return describeKey(ctx, owner, secret);
}

/** A pending key that is not confirmed within this time is void. */
const PENDING = { minutes: -10 } as const;

/** Returns true if a key awaits its first code. The key is shown once, when it is generated. */
export async function isPending(ctx: Context, owner: OwnerId): Promise<boolean> {
  return (await findPending(ctx, owner)) !== null;
}

async function findPending(ctx: Context, owner: OwnerId): Promise<Factor | null> {
  const created_at = MoreThan(plus(ctx.now, PENDING));
  return ctx.db.findOneBy(SecondFactor, { ...ofOwner(owner), enabled_at: IsNull(), created_at });
}

/** Enables the pending key with the app's first code. Returns the recovery codes, shown only once. @throws invalid() */
export async function enableFactor(ctx: Context, owner: Owner, otp: string): Promise<readonly string[]> {
  const factor = await findPending(ctx, owner);
  if (!factor) throw conflict('Start setting up two-factor authentication first');
  const { factor_id, sealed_key } = factor;
  const used_step = await totpStep(openKey(ctx, owner, factor), otp, { now: ctx.now, usedStep: null });
  if (used_step === undefined) throw invalid('Invalid code: check that the clock on your phone is correct');
  return ctx.transaction(async (inside) => {
    const pending = { factor_id, sealed_key, enabled_at: IsNull() };
    const { affected: changed } = await inside.db.update(SecondFactor, pending, { used_step, enabled_at: inside.now });
    if (changed === 0) throw conflict('Two-factor authentication has changed since: try again');
    await recordAccess(
      inside,
      owner,
      'Set up two-factor authentication',
      worded('Two-factor authentication was set up for your account.'),
    );
    return newRecoveryCodes(inside, factor_id);
  });
}

/** Replaces the recovery codes. Requires a code. Opens its own transaction. @throws invalid() */
export async function renewRecoveryCodes(ctx: Context, owner: Owner, given: GivenCode): Promise<readonly string[]> {
  const { factor_id } = await requireCode(ctx, owner, given);
  return ctx.transaction(async (inside) => {
    const change = worded('New recovery codes were generated for your account. The old ones no longer work.');
    await recordAccess(inside, owner, 'Generated new recovery codes', change);
    return newRecoveryCodes(inside, factor_id);
  });
}

/** Disables the owner's second factor. Requires a code. Opens its own transaction. @throws invalid() */
export async function disableFactor(ctx: Context, owner: Owner, given: GivenCode): Promise<void> {
  await requireCode(ctx, owner, given);
  await ctx.transaction((inside) => removeFactor(inside, owner, 'Turned off two-factor authentication'));
}

/** Removes a second factor, even a pending one. Returns false if there was none. Runs in a transaction. */
export async function removeFactor(
  ctx: Context,
  owner: OwnerId,
  description = 'Reset two-factor authentication',
): Promise<boolean> {
  const factor = await ctx.db.findOne(SecondFactor, { where: ofOwner(owner), lock: { mode: 'pessimistic_write' } });
  if (!factor) return false;
  const { factor_id } = factor;
  await removeRecoveryCodes(ctx, factor_id);
  await ctx.db.delete(SecondFactor, { factor_id });
  // A factor that was never enabled protected nothing, so the owner gets no mail.
  const change =
    factor.enabled_at === null ? undefined : worded('Two-factor authentication was removed from your account.');
  await recordAccess(ctx, owner, description, change);
  forgetGuesses(ctx, [codeAccount(owner.kind, owner.id)]);
  return true;
}

async function requireCode(ctx: Context, owner: Owner, given: GivenCode): Promise<Factor> {
  const factor = await findFactor(ctx, owner);
  if (!factor) throw conflict('Two-factor authentication is not set up');
  if (!(await checkCode(ctx, owner, factor, given))) throw invalid('Invalid code, or already used');
  return factor;
}

async function describeKey(ctx: Context, { account }: Owner, secret: string): Promise<NewKey> {
  return { secret, otpauth_uri: await totpUri(secret, { account, issuer: await providerName(ctx) }) };
}
