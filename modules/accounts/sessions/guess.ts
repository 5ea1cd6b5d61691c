import type { Context } from '@keelson/core';
import { tooMany } from '@keelson/core/kit';
import { passwordAccount } from '@keelson/modules/directory';
import { hashPassword, LONGEST_GUESS_WAIT, verifyPassword } from '@keelson/core/system';

const WAIT = 'Too many failed attempts, try again later';
const LOCKED = 'Too many failed attempts, set a new password';

export interface Attempt {
  /** Both kinds of people may have the same address. */
  readonly kind: 'employee' | 'technician';
  readonly username: string;
  readonly password: string;
  /** Undefined for somebody unknown, which takes the same time. */
  readonly hash: string | undefined;
  /** The known device or session it comes from, if any. */
  readonly device?: string | undefined;
}

/**
 * Whether the password is right, and whether its hash should be renewed. Wrong ones count.
 * @throws `too-many` when this account or this address has to wait
 */
export function tryPassword(ctx: Context, attempt: Attempt): Promise<{ ok: boolean; rehash: boolean }> {
  const { kind, username, password, hash, device } = attempt;
  const { passwordCost, tenantSlug } = ctx.app.config;
  return guess(ctx, { account: passwordAccount(kind, username), device }, () =>
    verifyPassword(password, hash, passwordCost, tenantSlug),
  );
}

/** The hash of a password that was right, with today's cost parameters. */
export function rehashed(ctx: Context, password: string): Promise<string> {
  const { passwordCost, tenantSlug } = ctx.app.config;
  return hashPassword(password, passwordCost, tenantSlug);
}

export interface Guessed {
  readonly account: string;
  readonly device?: string | undefined;
}

/**
 * Checks a guess of an account's password or code, unless too many were wrong lately. Guesses from a known device are
 * counted separately: it is not locked out by others, nor does its success help them (SF-08).
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
    // An error, such as too many hashes at once, says nothing about the guess: it does not count.
    await guesses.withdrawn(counted, ip, known);
    throw error;
  });
  if (result.ok) await guesses.succeeded(counted, ip, known);
  else await guesses.failed(counted, ip, known);
  return result;
}
