// Chats of anonymous visitors (M-20, W-13 to W-15). Not a `record`, because chats are not in the activity log and have
// no side effects.
import { secret, type Context, type CrmKey } from '@keelson/core';
import { explained } from '@keelson/core/kit';
import { tokenHash } from '@keelson/core/system';
import { answerIn, answerVisitor, asksForPerson, inEnglish, type Answer } from '@keelson/modules/assistant';
import { endForVisitors } from '@keelson/modules/chat';
import { absoluteLogo, readBranding } from '@keelson/modules/system';
import { WidgetMessage, WidgetSession } from './entities.ts';
import { findActive, findSession, readHistory } from './find-session.ts';
import { tellPerson } from './people.ts';
import { findReply, replyOnce } from './replies.ts';
import type { Reply } from './shapes.ts';

type Ctx = Context<CrmKey>;

export interface Visit {
  readonly visitor_id?: string | undefined;
  readonly page_url?: string | undefined;
  readonly referrer?: string | undefined;
}

/** 24 random bytes yield 32 characters (W-14). */
const SESSION_BYTES = 24;
const VISITOR_BYTES = 16;
const GREETING = explained('Hi! How can we help?');

/**
 * Starts a new chat, never an existing one, because computers are shared (W-13). Only this response contains the
 * session id; its hash is stored.
 */
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
  const logo = absoluteLogo(ctx, logo_url);
  const branding = { company_name, primary_color: colors.primary_color, logo_url: logo };
  return { success: true as const, session_id, visitor_id, greeting: explainerOf(ctx)(GREETING), branding };
}

/** Returns what translates recorded English for the visitor, whose language is that of the browser. */
export const explainerOf = (ctx: Ctx) => ctx.app.wording(ctx.request.language?.() ?? null).explain;

export interface Asked {
  readonly session_id: string;
  readonly message: string;
  /** Unique within the session. */
  readonly message_id?: string | undefined;
}

/**
 * Answers a message in the visitor's language, and stores both, the answer in English. A message sent again, because
 * its reply was lost, gets the same reply (W-37).
 * @throws notFound() for a missing session or another key's; conflict() if it has ended
 */
export async function exchange(ctx: Ctx, { session_id, message, message_id }: Asked) {
  // Check the session before looking up an answer.
  const { widget_session_id, chat_id } = await findActive(ctx, session_id);
  const explain = explainerOf(ctx);
  const asked = inEnglish(message, explain);
  const forPerson = chat_id !== null || asksForPerson(asked);
  const earlier = await findReply(ctx, widget_session_id, message_id);
  const answer =
    forPerson || earlier ? undefined : await answerVisitor(ctx, asked, await readHistory(ctx, widget_session_id));
  const { response, ...handedOver } =
    earlier ??
    (await ctx.transaction(async (inner) => {
      const session = await findActive(inner, session_id);
      await inner.db.update(WidgetSession, { widget_session_id }, { last_active_at: inner.now });
      return replyOnce(inner, widget_session_id, message_id, () =>
        // Another message may have handed the chat over meanwhile.
        answer && session.chat_id === null
          ? keepAnswer(inner, widget_session_id, message, answer)
          : tellPerson(inner, session, message),
      );
    }));
  return { success: true as const, ...handedOver, response: answerIn(response, explain) };
}

async function keepAnswer(ctx: Ctx, widget_session_id: number, message: string, answer: Answer): Promise<Reply> {
  const common = { widget_session_id, created_at: ctx.now };
  await ctx.db.insert(WidgetMessage, { ...common, sender: 'visitor', message });
  await ctx.db.insert(WidgetMessage, { ...common, sender: 'assistant', message: answer.message });
  return { response: answer };
}

/** Ends a chat; does nothing if already ended. @throws notFound() as `exchange` does */
export async function endSession(ctx: Ctx, { session_id }: { readonly session_id: string }) {
  const { widget_session_id, status, chat_id } = await findSession(ctx, session_id);
  if (status === 'active') {
    await ctx.db.update(WidgetSession, { widget_session_id }, { status: 'ended', ended_at: ctx.now });
    if (chat_id !== null) await endForVisitors(ctx, [chat_id]);
  }
  return { success: true as const, session_id, status: 'ended' as const };
}
