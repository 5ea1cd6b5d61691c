// Chats of anonymous visitors (M-20, W-13 to W-15). No record: chats are not in the activity log, and nothing follows them.
import { conflict, notFound, plus, secret, type Context, type CrmKey, type Timestamp } from '@keelson/core';
import { tokenHash } from '@keelson/core/system';
import { answerVisitor, type Turn } from '@keelson/modules/assistant';
import { readBranding } from '@keelson/modules/system';
import { WidgetMessage, WidgetSession } from './entities.ts';

type Ctx = Context<CrmKey>;

export interface Visit {
  readonly visitor_id?: string | undefined;
  readonly page_url?: string | undefined;
  readonly referrer?: string | undefined;
}

/** A session ends after so long without a message. */
const IDLE = { minutes: -30 } as const;
/** 24 random bytes are 32 characters (W-14). */
const SESSION_BYTES = 24;
const VISITOR_BYTES = 16;
/** What the assistant is told of what was said before. */
const HISTORY = 6;
const GREETING = 'Hi! How can we help?';

/** Begins a new chat, always: computers are shared (W-13). Only this answer has the session id; its hash is stored. */
export async function beginSession(ctx: Ctx, visit: Visit) {
  const { company_name, logo_url, colors } = await readBranding(ctx);
  const session_id = secret(SESSION_BYTES);
  const visitor_id = visit.visitor_id || secret(VISITOR_BYTES);
  await ctx.db.insert(WidgetSession, {
    session_hash: tokenHash(session_id),
    key_id: ctx.actor.key_id,
    test: ctx.actor.type === 'crm_public_test',
    visitor_id,
    page_url: visit.page_url ?? '',
    referrer: visit.referrer ?? '',
    status: 'active',
    started_at: ctx.now,
    last_active_at: ctx.now,
    ended_at: null,
  });
  const branding = { company_name, primary_color: colors.primary_color, logo_url };
  return { success: true as const, session_id, visitor_id, greeting: GREETING, branding };
}

/** Answers a message and stores both. @throws notFound() for a session that is absent or another key's; conflict() when it has ended */
export async function exchange(ctx: Ctx, asked: { readonly session_id: string; readonly message: string }) {
  // Checked first: without a session no answer is looked up.
  const { widget_session_id: known } = await findActive(ctx, asked.session_id);
  const answer = await answerVisitor(ctx, asked.message, await readHistory(ctx, known));
  await ctx.transaction(async (inner) => {
    const { widget_session_id } = await findActive(inner, asked.session_id);
    await inner.db.update(WidgetSession, { widget_session_id }, { last_active_at: inner.now });
    const common = { widget_session_id, created_at: inner.now };
    await inner.db.insert(WidgetMessage, { ...common, sender: 'visitor', message: asked.message });
    await inner.db.insert(WidgetMessage, { ...common, sender: 'assistant', message: answer.message });
  });
  return { success: true as const, response: answer };
}

/** Ends a chat. Ending it again changes nothing. @throws notFound() as `exchange` does */
export async function endSession(ctx: Ctx, { session_id }: { readonly session_id: string }) {
  const { widget_session_id, status } = await findSession(ctx, session_id);
  if (status === 'active') {
    await ctx.db.update(WidgetSession, { widget_session_id }, { status: 'ended', ended_at: ctx.now });
  }
  return { success: true as const, session_id, status: 'ended' as const };
}

/** A session whose last message is older than this has ended. */
export function idleSince(now: Timestamp): Timestamp {
  return plus(now, IDLE);
}

async function readHistory(ctx: Ctx, widget_session_id: number): Promise<Turn[]> {
  const newestFirst = [['widget_message_id', 'DESC']] as const;
  const last = await ctx.db.find(WidgetMessage, { widget_session_id }, { order: newestFirst, limit: HISTORY });
  return last.toReversed().map(({ sender, message }) => ({ by: sender === 'visitor' ? 'user' : 'assistant', message }));
}

async function findActive(ctx: Ctx, session_id: string): Promise<WidgetSession> {
  const session = await findSession(ctx, session_id);
  const idle = session.last_active_at <= idleSince(ctx.now);
  if (session.status === 'ended' || idle) throw conflict('The session has ended');
  return session;
}

async function findSession(ctx: Ctx, session_id: string): Promise<WidgetSession> {
  const where = { session_hash: tokenHash(session_id), key_id: ctx.actor.key_id };
  const session = await ctx.db.one(WidgetSession, where, { lock: ctx.tx !== undefined });
  if (!session) throw notFound('Session');
  return session;
}
