// A visitor's session by its id, which only the same key may use (W-14).
import { conflict, notFound, plus, type Context, type CrmKey, type Timestamp } from '@keelson/core';
import { tokenHash } from '@keelson/core/system';
import type { Turn } from '@keelson/modules/assistant';
import { WidgetMessage, WidgetSession } from './entities.ts';

type Ctx = Context<CrmKey>;

/** A session ends after so long without a message. */
const IDLE = { minutes: -30 } as const;
/** What the assistant is told of what was said before. */
const HISTORY = 6;

/** A session whose last message is older than this has ended. */
export function idleSince(now: Timestamp): Timestamp {
  return plus(now, IDLE);
}

/** The last messages of a session, oldest first. */
export async function readHistory(ctx: Ctx, widget_session_id: number, limit = HISTORY): Promise<Turn[]> {
  const newestFirst = [['widget_message_id', 'DESC']] as const;
  const last = await ctx.db.find(WidgetMessage, { widget_session_id }, { order: newestFirst, limit });
  return last.toReversed().map(({ sender, message }) => ({ by: sender === 'visitor' ? 'user' : 'assistant', message }));
}

/** @throws notFound(), or conflict() when it has ended */
export async function findActive(ctx: Ctx, session_id: string): Promise<WidgetSession> {
  const session = await findSession(ctx, session_id);
  const idle = session.last_active_at <= idleSince(ctx.now);
  if (session.status === 'ended' || idle) throw conflict('The session has ended');
  return session;
}

/** @throws notFound() when it is absent or another key's */
export async function findSession(ctx: Ctx, session_id: string): Promise<WidgetSession> {
  const where = { session_hash: tokenHash(session_id), key_id: ctx.actor.key_id };
  const session = await ctx.db.one(WidgetSession, where, { lock: ctx.tx !== undefined });
  if (!session) throw notFound('Session');
  return session;
}
