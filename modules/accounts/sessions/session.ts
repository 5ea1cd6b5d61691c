import { In, IsNull, Not, secret, sql, type Context, type Timestamp } from '@keelson/core';
import { changed } from '@keelson/core/plugin';
import { tokenHash } from '@keelson/core/system';
import { EmployeeSession, RefreshToken } from '../entities.ts';
import { tokensEnd } from './session-life.ts';

export interface OpenedSession {
  readonly session_id: number;
  readonly employee_number: number;
  /** The value of the browser's cookie. */
  readonly cookie: string;
  readonly refresh_token: string;
}

/** Starts a session under a new id with its first refresh token. Runs in a transaction. */
export async function openSession(
  ctx: Context,
  { employee_number, access_version }: { employee_number: number; access_version: number },
): Promise<OpenedSession> {
  const cookie = secret();
  const session_id = await ctx.db.insertReturningId(EmployeeSession, {
    employee_number,
    token_hash: tokenHash(cookie),
    access_version,
    ip_address: ctx.request.ip,
    created_at: ctx.now,
    last_used_at: ctx.now,
    expires_at: tokensEnd(ctx.now),
  });
  const refresh_token = secret();
  await ctx.db.insert(RefreshToken, {
    session_id,
    token_hash: tokenHash(refresh_token),
    state: 'live',
    created_at: ctx.now,
  });
  return { session_id, employee_number, cookie, refresh_token };
}

/**
 * Ends a session with its cookie and all its tokens, including the current access token. Runs in a transaction.
 */
export async function endSession(ctx: Context, session_id: number): Promise<void> {
  await ctx.db.update(EmployeeSession, { session_id }, { revoked_at: ctx.now, token_hash: null });
  await ctx.db.update(RefreshToken, { session_id }, { state: 'revoked' });
  changed(ctx, EmployeeSession);
}

/**
 * Keeps one session after a password change: it continues under a new id and the new access version, without its
 * refresh tokens. Ends all other sessions of the employee. Returns the new cookie. Runs in a transaction.
 */
export async function keepOnlySession(
  ctx: Context,
  session: { session_id: number; employee_number: number; access_version: number },
): Promise<string> {
  const { session_id, employee_number, access_version } = session;
  const cookie = secret();
  await endOthers(ctx, employee_number, session_id);
  const renewed = { access_version, token_hash: tokenHash(cookie) };
  await ctx.db.update(EmployeeSession, { session_id, employee_number }, renewed);
  changed(ctx, EmployeeSession);
  return cookie;
}

/** Ends every session of an employee. Runs in a transaction. */
export async function endSessions(ctx: Context, employee_number: number): Promise<void> {
  await endOthers(ctx, employee_number, 0);
  changed(ctx, EmployeeSession);
}

/** Ends every session of an employee except one. Runs in a transaction. */
export async function endOtherSessions(ctx: Context, employee_number: number, kept: number): Promise<void> {
  const others = { employee_number, revoked_at: IsNull(), session_id: Not(kept) };
  const ids = (await ctx.db.findBy(EmployeeSession, others)).map((each) => each.session_id);
  if (ids.length === 0) return;
  await ctx.db.update(EmployeeSession, { session_id: In(ids) }, { revoked_at: ctx.now, token_hash: null });
  await ctx.db.update(RefreshToken, { session_id: In(ids) }, { state: 'revoked' });
  changed(ctx, EmployeeSession);
}

async function endOthers(ctx: Context, employee_number: number, kept: number): Promise<void> {
  const ended: { revoked_at: Timestamp; token_hash: null } = { revoked_at: ctx.now, token_hash: null };
  const others = { employee_number, revoked_at: IsNull(), session_id: Not(kept) };
  await ctx.db.update(EmployeeSession, others, ended);
  await ctx.db.run(sql`UPDATE refresh_token SET state = 'revoked' WHERE session_id IN
    (SELECT session_id FROM employee_session WHERE employee_number = ${employee_number})`);
}
