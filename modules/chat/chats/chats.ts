// The lifecycle of chats (M-19). Not a record: the activity log contains technicians' actions, but not what people
// wrote.
import { is, lock, MoreThan, Not, notFound, plus, type Context, type EmployeeActor } from '@keelson/core';
import { explained } from '@keelson/core/kit';
import { countOf } from '@keelson/core/record';
import { employeeName } from '@keelson/core/surfaces';
import { Employee } from '@keelson/modules/directory';
import { Chat } from '../entities.ts';
import { addMessage, lastMessages } from '../messages/messages.ts';
import { ChatNoun, OwnChat } from './chat-list.ts';

/** A chat is resumed within this time after its last message (W-01). */
const RESUMED = { hours: -24 } as const;
/** Messages in the response to start (W-02). */
const SHOWN = 50;
const GREETING = explained('Hi! How can we help? Ask a question, or ask to talk to a person at any time.');
export const ASSISTANT = 'Assistant';

/** Resumes the caller's chat, or starts one (W-01). */
export async function startChat(ctx: Context<EmployeeActor>) {
  const { company_number, employee_number } = ctx.actor;
  // Locked, so that only one of two tabs starts a chat.
  await ctx.db.findOne(Employee, { where: { employee_number }, lock: { mode: 'pessimistic_write' } });
  const last = await ctx.db.findOne(Chat, {
    where: { employee_number, status: Not('ended'), last_active_at: MoreThan(plus(ctx.now, RESUMED)) },
    order: { chat_id: 'DESC' },
    lock: { mode: 'pessimistic_write' },
  });
  const chat =
    last ?? (await beginChat(ctx, { company_number, employee_number, person_name: employeeName(ctx.actor) }));
  return { chat, resumed: last !== null, messages: await lastMessages(ctx, chat.chat_id, SHOWN) };
}

async function beginChat(
  ctx: Context,
  person: Pick<Chat, 'company_number' | 'employee_number' | 'person_name'>,
): Promise<Chat> {
  const row = { ...person, source: 'employee', started_at: ctx.now, last_active_at: ctx.now } as const;
  const chat_id = await ctx.db.insertReturningId(Chat, row);
  const greeting = { sender_type: 'assistant', sender_name: ASSISTANT, message: GREETING } as const;
  return (await addMessage(ctx, await lock(ctx, ChatNoun, chat_id), greeting)).chat;
}

/** Finds one of the caller's own chats. @throws notFound() for any other (W-10) */
export async function findOwnChat(ctx: Context<EmployeeActor>, chat_id: number): Promise<number> {
  if ((await countOf(ctx, OwnChat, {}, { where: [is('chat_id', chat_id)] })) === 0) throw notFound('Chat');
  return chat_id;
}

/** Locks one of the caller's own chats. @throws notFound() for any other (W-10) */
export async function lockOwnChat(ctx: Context<EmployeeActor>, chat_id: number): Promise<Chat> {
  return lock(ctx, ChatNoun, await findOwnChat(ctx, chat_id));
}

export function lockChat(ctx: Context, chat_id: number): Promise<Chat> {
  return lock(ctx, ChatNoun, chat_id);
}

/** Ends a chat that was locked in the same transaction. Does nothing if it has already ended (M-19). */
export async function endChat(ctx: Context, chat: Chat): Promise<Chat> {
  if (chat.status === 'ended') return chat;
  const ended = { status: 'ended', ended_at: ctx.now } as const;
  return (await addMessage(ctx, chat, { sender_type: 'system', message: explained('This chat has ended.') }, ended))
    .chat;
}
