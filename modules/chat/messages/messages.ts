// Messages of a chat. They are added under the chat's lock, so ids and times are in the same order.
import { announceChange, conflict, plus, secondsBetween, type Context, type Timestamp } from '@keelson/core';
import { cutTo } from '@keelson/core/kit';
import type { Author } from '@keelson/core/log';
import { commentOnTicket } from '@keelson/modules/tickets';
import { Chat, ChatMessage, type SenderType } from '../entities.ts';
import { lockLinkedTicket } from '../tickets/linked-ticket.ts';

/** Limit per chat; continuing requires a new chat. */
const MOST_MESSAGES = 1000;
const TOPIC_LENGTH = 80;
const MILLISECOND = { seconds: 0.001 } as const;
/** Longer than a request takes to answer; afterwards a job does (W-35). */
export const ANSWERED_WITHIN = { seconds: 30 } as const;

export interface NewMessage {
  readonly sender_type: SenderType;
  readonly message: string;
  readonly sender_name?: string;
  readonly comment_id?: number | null | undefined;
  readonly answer_due_at?: Timestamp | null;
}

export interface Added {
  readonly chat: Chat;
  readonly message: ChatMessage;
}

/** Returns the last messages of a chat, oldest first. */
export async function lastMessages(ctx: Context, chat_id: number, limit: number): Promise<ChatMessage[]> {
  const newestFirst = { created_at: 'DESC', message_id: 'DESC' } as const;
  return (await ctx.db.find(ChatMessage, { where: { chat_id }, order: newestFirst, take: limit })).toReversed();
}

/**
 * Adds a message to a chat that was locked in the same transaction, and stores further changes of the chat. Not in the
 * activity log, which contains actions, not conversations.
 */
export async function addMessage(
  ctx: Context,
  chat: Chat,
  { sender_type, message, sender_name = '', comment_id = null, answer_due_at = null }: NewMessage,
  changes: Partial<Chat> = {},
): Promise<Added> {
  const created_at = timeAfter(chat.last_message_at, ctx.now);
  const row = { chat_id: chat.chat_id, sender_type, sender_name, message, comment_id, answer_due_at, created_at };
  const message_id = await ctx.db.insertReturningId(ChatMessage, row);
  const set: Partial<Chat> = {
    ...changes,
    messages: chat.messages + 1,
    last_message_at: created_at,
    last_active_at: ctx.now,
  };
  await ctx.db.update(Chat, { chat_id: chat.chat_id }, set);
  const after = { ...chat, ...set };
  announceChange(ctx, { of: Chat, row: after, kind: 'changed' });
  return { chat: after, message: { ...row, message_id } };
}

/** Adds a message from the employee or visitor, and a comment on the linked ticket (W-08). @throws conflict() */
export async function addUsersMessage(ctx: Context, chat: Chat, message: string): Promise<Added> {
  checkOpen(chat);
  const ticket = await lockLinkedTicket(ctx, chat);
  const comment = ticket && (await commentOnTicket(ctx, ticket, { comment: message, is_internal: false }));
  const comment_id = comment?.comment_id ?? null;
  const answer_due_at = chat.status === 'active' ? plus(ctx.now, ANSWERED_WITHIN) : null;
  return addMessage(
    ctx,
    chat,
    { sender_type: 'user', sender_name: chat.person_name, message, comment_id, answer_due_at },
    chat.topic === '' ? { topic: beginningOf(message) } : {},
  );
}

/** Returns the chat's changes when an agent answers. The first answer hands the chat over (M-19). */
export function answeredBy({ now }: Context, chat: Chat, by: Author): Partial<Chat> {
  const agent_id = chat.agent_id ?? (by.type === 'technician' ? by.id : null);
  if (chat.answered_at !== null) return { agent_id, status: 'with_agent' };
  const waited = chat.requested_at === null ? null : Math.max(0, Math.round(secondsBetween(chat.requested_at, now)));
  return { agent_id, status: 'with_agent', answered_at: now, waited_seconds: waited };
}

/** Requires that the chat takes further messages. @throws conflict() otherwise */
export function checkOpen(chat: Chat): void {
  if (chat.status === 'ended') throw conflict('The chat has ended');
  if (!isOpen(chat)) throw conflict('The chat is full: end it and start a new one');
}

export function isOpen({ status, messages }: Chat): boolean {
  return status !== 'ended' && messages < MOST_MESSAGES;
}

/** Returns the current time, or the next millisecond after the last message. */
function timeAfter(last: Timestamp | null, now: Timestamp): Timestamp {
  return last === null || last < now ? now : plus(last, MILLISECOND);
}

/** Returns the beginning of a message, on one line (W-09). */
export function beginningOf(message: string): string {
  return cutTo(message.replace(/\s+/g, ' ').trim(), TOPIC_LENGTH);
}
