import { hashPassword, tooMany, verifyPassword, type Context } from '@keelson/core';

export interface Attempt {
  /** Whose accounts: the two kinds of people may share an address. */
  readonly kind: 'employee' | 'technician';
  readonly username: string;
  readonly password: string;
  /** Undefined for somebody unknown, who costs the same. */
  readonly hash: string | undefined;
}

/**
 * Whether the password is right, and whether its hash should be renewed. Wrong ones count.
 * @throws `too-many` when this account or this address has to wait
 */
export function tryPassword(ctx: Context, attempt: Attempt): Promise<{ ok: boolean; rehash: boolean }> {
  const { kind, username, password, hash } = attempt;
  const { passwordCost, tenantSlug } = ctx.app.config;
  return guess(ctx, `${kind} ${username}`, () => verifyPassword(password, hash, passwordCost, tenantSlug));
}

/** The hash of a password that has proved right, at today's cost. */
export function rehashed(ctx: Context, password: string): Promise<string> {
  const { passwordCost, tenantSlug } = ctx.app.config;
  return hashPassword(password, passwordCost, tenantSlug);
}

/**
 * Judges one guess at what belongs to `account`, unless too many were wrong lately.
 * @throws `too-many` when this account or this address has to wait
 */
export async function guess<R extends { readonly ok: boolean }>(
  ctx: Context,
  account: string,
  judge: () => Promise<R>,
): Promise<R> {
  const { guesses } = ctx.app;
  const wait = await guesses.check(account, ctx.request.ip);
  if (wait !== undefined) throw tooMany(wait, 'Too many failed attempts, try again later');
  const result = await judge().catch(async (error: unknown) => {
    // What could not be judged (too many hashes at once) says nothing about the guess.
    await guesses.withdrawn(account, ctx.request.ip);
    throw error;
  });
  if (result.ok) await guesses.succeeded(account, ctx.request.ip);
  else await guesses.failed(account, ctx.request.ip);
  return result;
}
