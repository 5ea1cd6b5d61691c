// Chats from beginning to end (M-19). No record: the activity log tells what technicians did, and not what people said.
import { above, is, lock, not, notFound, plus, type Context, type EmployeeActor } from '@keelson/core';
import { countOf } from '@keelson/core/record';
import { employeeName } from '@keelson/core/surfaces';
import { Employee } from '@keelson/modules/directory';
import { ChatNoun, OwnChat } from './chat-list.ts';
import { Chat } from './entities.ts';
import { addMessage, lastMessages } from './messages.ts';

/** A chat is gone on with for so long after its last message (W-01). */
const RESUMED = { hours: -24 } as const;
/** Messages in the answer to start (W-02). */
const SHOWN = 50;
const GREETING = 'Hi! How can we help? Ask a question, or ask for a person at any time.';
export const ASSISTANT = 'Assistant';

/** Goes on with the signed-in person's chat, or begins one (W-01). */
export async function startChat(ctx: Context<EmployeeActor>) {
  const { company_number, employee_number } = ctx.actor;
  // So that of two tabs only one begins a chat.
  await ctx.db.one(Employee, { employee_number }, { lock: true });
  const last = await ctx.db.one(
    Chat,
    { employee_number, status: not('ended'), last_active_at: above(plus(ctx.now, RESUMED)) },
    { order: [['chat_id', 'DESC']], limit: 1, lock: true },
  );
  const chat =
    last ?? (await beginChat(ctx, { company_number, employee_number, person_name: employeeName(ctx.actor) }));
  return { chat, resumed: last !== undefined, messages: await lastMessages(ctx, chat.chat_id, SHOWN) };
}

async function beginChat(
  ctx: Context,
  person: Pick<Chat, 'company_number' | 'employee_number' | 'person_name'>,
): Promise<Chat> {
  const row = { ...person, source: 'employee', started_at: ctx.now, last_active_at: ctx.now } as const;
  const chat_id = await ctx.db.insert(Chat, row);
  const greeting = { sender_type: 'assistant', sender_name: ASSISTANT, message: GREETING } as const;
  return (await addMessage(ctx, await lock(ctx, ChatNoun, chat_id), greeting)).chat;
}

/** One of the signed-in person's own chats. @throws notFound() for any other (W-10) */
export async function findOwnChat(ctx: Context<EmployeeActor>, chat_id: number): Promise<number> {
  if ((await countOf(ctx, OwnChat, {}, { where: [is('chat_id', chat_id)] })) === 0) throw notFound('Chat');
  return chat_id;
}

/** The same, locked. */
export async function lockOwnChat(ctx: Context<EmployeeActor>, chat_id: number): Promise<Chat> {
  return lock(ctx, ChatNoun, await findOwnChat(ctx, chat_id));
}

export function lockChat(ctx: Context, chat_id: number): Promise<Chat> {
  return lock(ctx, ChatNoun, chat_id);
}

/** Ends a chat that was locked in the same transaction; nothing happens when it has ended (M-19). */
export async function endChat(ctx: Context, chat: Chat): Promise<Chat> {
  if (chat.status === 'ended') return chat;
  const ended = { status: 'ended', ended_at: ctx.now } as const;
  return (await addMessage(ctx, chat, { sender_type: 'system', message: 'The chat has ended.' }, ended)).chat;
}
