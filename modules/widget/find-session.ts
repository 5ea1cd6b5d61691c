// Session lookup by id, restricted to the key that started it (W-14).
import { conflict, notFound, plus, type Context, type CrmKey, type Timestamp } from '@keelson/core';
import { tokenHash } from '@keelson/core/system';
import type { Turn } from '@keelson/modules/assistant';
import { WidgetMessage, WidgetSession } from './entities.ts';

type Ctx = Context<CrmKey>;

/** Idle time after which a session ends. */
const IDLE = { minutes: -30 } as const;
/** Number of earlier messages passed to the assistant. */
const HISTORY = 6;

/** Returns the time before which a session's last activity counts as idle. */
export function idleSince(now: Timestamp): Timestamp {
  return plus(now, IDLE);
}

/** Returns the last messages of a session, oldest first. */
export async function readHistory(ctx: Ctx, widget_session_id: number, limit = HISTORY): Promise<Turn[]> {
  const newestFirst = { widget_message_id: 'DESC' } as const;
  const last = await ctx.db.find(WidgetMessage, { where: { widget_session_id }, order: newestFirst, take: limit });
  return last.toReversed().map(({ sender, message }) => ({ by: sender === 'visitor' ? 'user' : 'assistant', message }));
}

/** Returns an active session. @throws notFound(), or conflict() if it has ended */
export async function findActive(ctx: Ctx, session_id: string): Promise<WidgetSession> {
  const session = await findSession(ctx, session_id);
  const idle = session.last_active_at <= idleSince(ctx.now);
  if (session.status === 'ended' || idle) throw conflict('The session has ended');
  return session;
}

/** Returns a session. @throws notFound() if it is missing or belongs to another key */
export async function findSession(ctx: Ctx, session_id: string): Promise<WidgetSession> {
  const where = { session_hash: tokenHash(session_id), key_id: ctx.actor.key_id };
  const session = await ctx.db.findOne(WidgetSession, { where, lock: ctx.tx && { mode: 'pessimistic_write' } });
  if (!session) throw notFound('Session');
  return session;
}
