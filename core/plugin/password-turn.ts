// Password hashes in turn: each occupies a core for 250 ms, and running more than there are cores would only delay
// everything else.
import { availableParallelism } from 'node:os';
import { tooMany } from '@keelson/kit/problem.ts';
import { hashPassword, verifyPassword } from '@keelson/security/password.ts';
import { callerTurns } from './caller-turns.ts';
import type { Context } from './context.ts';

const RETRY_SECONDS = 5;

const inTurn = callerTurns({
  atOnce: availableParallelism(),
  waiting: 64,
  waitingInAll: 1024,
  full: () => tooMany(RETRY_SECONDS),
});

/**
 * Hashes a password for storage with the configured cost, in the caller's turn.
 * @throws tooMany() when the caller has 64 hashes queued, or the tenant 1,024
 */
export function hashInTurn(ctx: Context, plain: string): Promise<string> {
  return inTurn(ctx, () => hashPassword(plain, ctx.app.config.passwordCost));
}

/** Verifies a password in the caller's turn. Returns what verifyPassword returns. @throws tooMany() like hashInTurn */
export function verifyInTurn(ctx: Context, plain: string, hash: string | undefined) {
  return inTurn(ctx, () => verifyPassword(plain, hash, ctx.app.config.passwordCost));
}
