// Chats of website visitors, once they request a person (W-26). The `widget` module identifies the visitor.
import { In, pageOf, type Context, type Timestamp } from '@keelson/core';
import type { Turn } from '@keelson/modules/assistant';
import { Chat } from '../entities.ts';
import { addMessage, addUsersMessage, beginningOf, checkOpen } from '../messages/messages.ts';
import { waitForAgent } from '../tickets/chat-ticket.ts';
import { MessageItem } from './chat-list.ts';
import { ASSISTANT, endChat, lockChat } from './chats.ts';

export const VISITOR = 'Visitor';
/** Messages per response. */
const AT_ONCE = 100;

/** Adds a conversation to the technicians' queue. Returns the chat's id. */
export async function handOverVisitor(
  ctx: Context,
  { page_url, said }: { readonly page_url: string; readonly said: readonly Turn[] },
): Promise<number> {
  const chat_id = await ctx.db.insertReturningId(Chat, {
    source: 'website',
    person_name: VISITOR,
    page_url,
    topic: beginningOf(said.find((each) => each.by === 'user')?.message ?? ''),
    started_at: ctx.now,
    last_active_at: ctx.now,
  });
  let chat = await lockChat(ctx, chat_id);
  for (const { by, message } of said) {
    const sender_name = by === 'user' ? VISITOR : ASSISTANT;
    chat = (await addMessage(ctx, chat, { sender_type: by, sender_name, message })).chat;
  }
  await waitForAgent(ctx, chat);
  return chat_id;
}

/** Adds a visitor's message. @throws conflict() when the chat has ended */
export async function sayAsVisitor(ctx: Context, chat_id: number, message: string): Promise<void> {
  const chat = await lockChat(ctx, chat_id);
  checkOpen(chat);
  await addUsersMessage(ctx, chat, message);
}

/** Returns messages since a moment, oldest first, and the chat's status. */
export async function readAsVisitor(ctx: Context, chat_id: number, since: Timestamp | undefined) {
  const chat = await ctx.db.findOneBy(Chat, { chat_id });
  if (!chat) return { status: 'ended' as const, messages: [] };
  const { rows } = await pageOf(ctx, MessageItem, { chat_id, since, page: 1, size: AT_ONCE }, { total: 0 });
  return { status: chat.status, messages: [...rows] };
}

/** Ends the chats of visitors who have left. */
export async function endForVisitors(ctx: Context, ids: readonly number[]): Promise<void> {
  const chats = await ctx.db.find(Chat, {
    where: { chat_id: In(ids) },
    order: { chat_id: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  });
  for (const chat of chats) await endChat(ctx, chat);
}
