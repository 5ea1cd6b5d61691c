import type { Context } from '@keelson/core';
import { tooMany } from '@keelson/core/kit';
import { LONGEST_GUESS_WAIT, verifyInTurn } from '@keelson/core/system';
import { passwordAccount } from '@keelson/modules/directory';

const WAIT = 'Too many failed attempts, try again later';
const LOCKED = 'Too many failed attempts, reset your password';

export interface Attempt {
  /** An employee and a technician may have the same address. */
  readonly kind: 'employee' | 'technician';
  readonly username: string;
  readonly password: string;
  /** Undefined for an unknown user, which takes the same time. */
  readonly hash: string | undefined;
  /** The known device or session it comes from, if any. */
  readonly device?: string | undefined;
}

/**
 * Checks the password, and whether its hash needs renewal. Wrong passwords count as guesses.
 * @throws `too-many` when this account or this address has to wait
 */
export function tryPassword(ctx: Context, attempt: Attempt): Promise<{ ok: boolean; rehash: boolean }> {
  const { kind, username, password, hash, device } = attempt;
  return guess(ctx, { account: passwordAccount(kind, username), device }, () => verifyInTurn(ctx, password, hash));
}

export interface Guessed {
  readonly account: string;
  readonly device?: string | undefined;
}

/**
 * Checks a guess of an account's password or code, unless there were too many wrong ones recently. Guesses from
 * a known device are counted separately: others cannot lock it out, and its success does not reset their count (SF-08).
 * @throws `too-many` when this account or this address has to wait
 */
export async function guess<R extends { readonly ok: boolean }>(
  ctx: Context,
  { account, device }: Guessed,
  check: () => Promise<R>,
): Promise<R> {
  const { guesses } = ctx.app;
  const { ip } = ctx.request;
  const known = device !== undefined;
  const counted = known ? `${account} device ${device}` : account;
  const wait = await guesses.check(counted, ip, known);
  if (wait !== undefined) throw tooMany(wait, wait > LONGEST_GUESS_WAIT ? LOCKED : WAIT);
  const result = await check().catch(async (error: unknown) => {
    // An error, such as too many concurrent hashes, says nothing about the guess, so it does not count.
    await guesses.withdrawn(counted, ip, known);
    throw error;
  });
  if (result.ok) await guesses.succeeded(counted, ip, known);
  else await guesses.failed(counted, ip, known);
  return result;
}
