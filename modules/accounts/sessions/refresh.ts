import { In, IsNull, plus, secret, type Context, type Row } from '@keelson/core';
import { signedOut, tokenHash } from '@keelson/core/system';
import { Company, Employee } from '@keelson/modules/directory';
import { EmployeeSession, RefreshToken } from '../entities.ts';
import { grantAccess, type AccessGrant } from './access-token.ts';
import { refreshTokenEnds } from './session-life.ts';
import { endSession } from './session.ts';

// Refresh tokens rotate by successors:
//   live     usable; each use issues a further pending successor
//   pending  its first use makes it live, and retires its parent and siblings
//   retired  reuse of an old copy ends the whole family, unless it is a late retry
//   revoked  never usable
// A lost response therefore costs nothing, and a client that ignores successors continues with its first token. Once
// either a thief or the client uses a successor, the other's next use reveals the theft.

type Token = Row<typeof RefreshToken>;
type Session = Row<typeof EmployeeSession>;

export interface Refreshed extends AccessGrant {
  /** The successor. The token that was sent stays valid until the successor is used. */
  readonly refresh_token: string;
}

/** A request retried by the network may arrive after its response was used. */
const RETRY = { seconds: 60 } as const;

/**
 * Exchanges a refresh token for a new access token. Opens its own transaction, so that a theft is recorded although the
 * caller is refused.
 * @throws signedOut() when the token is unknown, expired, revoked or reused
 */
export async function refreshSession(ctx: Context, { refresh_token }: { refresh_token: string }): Promise<Refreshed> {
  const token_hash = tokenHash(refresh_token);
  // A token never changes its family, so the family can be read before it is locked.
  const found = await ctx.db.findOneBy(RefreshToken, { token_hash });
  const refreshed = found && (await ctx.transaction((inside) => useToken(inside, found)));
  if (!refreshed) throw signedOut('Refresh token is invalid or has expired');
  return refreshed;
}

/** Returns the session of a refresh token that is currently usable. */
export async function sessionOfRefreshToken(ctx: Context, refresh_token: string): Promise<Session | null> {
  const token = await ctx.db.findOneBy(RefreshToken, { token_hash: tokenHash(refresh_token) });
  if (!token || !isUsable(token.state) || ctx.now >= refreshTokenEnds(token)) return null;
  return findUsableSession(ctx, token.session_id);
}

async function useToken(ctx: Context, { session_id, token_id }: Token): Promise<Refreshed | undefined> {
  const session = await findUsableSession(ctx, session_id);
  const token =
    session && (await ctx.db.findOne(RefreshToken, { where: { token_id }, lock: { mode: 'pessimistic_write' } }));
  if (!token || token.state === 'revoked') return undefined;
  const heir = token.state === 'retired' ? await findHeir(ctx, token) : undefined;
  if (token.state === 'retired' && !heir) {
    await endFamily(ctx, session);
    return undefined;
  }
  if (!heir && ctx.now >= refreshTokenEnds(token)) return undefined;
  if (token.state === 'pending') await retireBefore(ctx, token);
  await ctx.db.update(RefreshToken, { token_id }, { used_at: ctx.now });
  await ctx.db.update(EmployeeSession, { session_id }, { last_used_at: ctx.now });
  const successor = await addSuccessor(ctx, heir ?? token);
  return { ...grantAccess(ctx, session), refresh_token: successor };
}

/** Returns the successor that just retired this token, so that a late retry can continue with it. */
async function findHeir(ctx: Context, { token_id, retired_at, retired_by }: Token): Promise<Token | null> {
  if (retired_at === null || retired_by === null || ctx.now > plus(retired_at, RETRY)) return null;
  return ctx.db.findOne(RefreshToken, {
    where: { token_id: retired_by, parent_id: token_id, state: 'live' },
    lock: { mode: 'pessimistic_write' },
  });
}

/** Handles the first use of a successor: it replaces its parent and siblings. */
async function retireBefore(ctx: Context, { token_id, session_id }: Token): Promise<void> {
  const retired = { state: 'retired', retired_at: ctx.now, retired_by: token_id } as const;
  await ctx.db.update(RefreshToken, { session_id, state: In(['live', 'pending']) }, retired);
  await ctx.db.update(RefreshToken, { token_id }, { state: 'live', retired_at: null, retired_by: null });
}

async function addSuccessor(ctx: Context, { session_id, token_id }: Token): Promise<string> {
  const successor = secret();
  await ctx.db.insert(RefreshToken, {
    session_id,
    parent_id: token_id,
    token_hash: tokenHash(successor),
    state: 'pending',
    created_at: ctx.now,
  });
  return successor;
}

async function endFamily(ctx: Context, { session_id, employee_number }: Session): Promise<void> {
  await endSession(ctx, session_id);
  ctx.afterCommit(() => ctx.log.warn({ session_id, employee_number }, 'refresh token reused: session ended'));
  ctx.record({
    action: 'update',
    entity_type: 'contact',
    entity_id: employee_number,
    description: 'Ended a session because an old refresh token was reused',
  });
}

/** Locks the family, so that its tokens are used one at a time. */
async function findUsableSession(ctx: Context, session_id: number): Promise<Session | null> {
  const session = await ctx.db.findOne(EmployeeSession, {
    where: { session_id, revoked_at: IsNull() },
    lock: ctx.tx && { mode: 'pessimistic_write' },
  });
  if (!session || ctx.now >= session.expires_at) return null;
  const { employee_number, access_version } = session;
  const person = await ctx.db.findOneBy(Employee, {
    employee_number,
    access_version,
    status: 'Active',
    deleted_at: IsNull(),
  });
  if (!person) return null;
  const { company_number } = person;
  const company = await ctx.db.findOneBy(Company, { company_number, status: 'active', deleted_at: IsNull() });
  return company && session;
}

function isUsable(state: Token['state']): boolean {
  return state === 'live' || state === 'pending';
}
