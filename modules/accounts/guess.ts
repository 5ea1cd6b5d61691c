import { tooMany, verifyPassword, type Context } from '@keelson/core';

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
export async function tryPassword(ctx: Context, attempt: Attempt): Promise<{ ok: boolean; rehash: boolean }> {
  const { guesses } = ctx.app;
  const account = `${attempt.kind} ${attempt.username}`;
  const wait = await guesses.check(account, ctx.request.ip);
  if (wait !== undefined) throw tooMany(wait, 'Too many failed attempts, try again later');
  const verified = verifyPassword(attempt.password, attempt.hash, ctx.app.config.passwordCost);
  const result = await verified.catch(async (error: unknown) => {
    // Too many hashes at once say nothing about this password.
    await guesses.withdrawn(account, ctx.request.ip);
    throw error;
  });
  if (result.ok) await guesses.succeeded(account, ctx.request.ip);
  else await guesses.failed(account, ctx.request.ip);
  return result;
}
