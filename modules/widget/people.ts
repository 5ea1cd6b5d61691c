// Chats handed over to a person, which join the technicians' queue (W-26).
import { plus, type Context, type CrmKey, type Timestamp } from '@keelson/core';
import { explained } from '@keelson/core/kit';
import { authoredBy } from '@keelson/core/system';
import { handOverVisitor, readAsVisitor, sayAsVisitor, VISITOR } from '@keelson/modules/chat';
import { WidgetSession } from './entities.ts';
import { findActive, readHistory } from './find-session.ts';
import type { Reply } from './shapes.ts';

type Ctx = Context<CrmKey>;

/** Number of earlier messages shown to the technician. */
const HISTORY = 50;
/** Minimum interval between writes when polling keeps a session alive. */
const NOTED = { minutes: -1 } as const;
const WAIT = explained(
  'Someone will reply here as soon as possible. You can also use the contact form on this website and we’ll get back to you.',
);

/** A visitor is on the customer's side, though the key is the provider's (W-26). */
const visitor = { type: 'employee', id: null, name: VISITOR } as const;

/** Hands the chat of a locked session over to a person, or forwards a message. */
export async function tellPerson(ctx: Ctx, session: WidgetSession, message: string): Promise<Reply> {
  const { widget_session_id, chat_id, page_url } = session;
  if (chat_id !== null) {
    await sayAsVisitor(authoredBy(ctx, visitor), chat_id, message);
    return replyOf('');
  }
  const said = await readHistory(ctx, widget_session_id, HISTORY);
  const handedOver = await handOverVisitor(ctx, { page_url, said });
  await ctx.db.update(WidgetSession, { widget_session_id }, { chat_id: handedOver });
  return replyOf(WAIT);
}

/** Returns the messages with a person since a moment; empty before the handover. @throws as `findActive` does */
export async function readConversation(
  ctx: Ctx,
  { session_id, since }: { readonly session_id: string; readonly since?: Timestamp | undefined },
) {
  const { widget_session_id, chat_id, last_active_at } = await findActive(ctx, session_id);
  if (chat_id === null) return { success: true as const, status: 'active' as const, messages: [] };
  if (last_active_at < plus(ctx.now, NOTED))
    await ctx.db.update(WidgetSession, { widget_session_id }, { last_active_at: ctx.now });
  return { success: true as const, ...(await readAsVisitor(ctx, chat_id, since)) };
}

function replyOf(message: string): Reply {
  return { response: { message, suggested_actions: [] }, handed_over: true };
}
