import type { Context, EmployeeActor } from '@keelson/core';
import { signedOut } from '@keelson/core/system';
import { sessionOfRefreshToken } from './refresh.ts';
import { endSession } from './session.ts';

/**
 * Ends the caller's session, and that of a refresh token in the body, which needs no other credential. Runs in a
 * transaction.
 * @throws signedOut() when there is neither
 */
export async function signOut(
  ctx: Context<EmployeeActor | undefined>,
  { refresh_token }: { refresh_token?: string | null | undefined },
): Promise<void> {
  const named = !refresh_token ? undefined : await sessionOfRefreshToken(ctx, refresh_token);
  const sessions = new Set([ctx.actor?.session_id, named?.session_id].filter((each) => each !== undefined));
  if (sessions.size === 0) throw signedOut();
  for (const session_id of sessions) await endSession(ctx, session_id);
}
