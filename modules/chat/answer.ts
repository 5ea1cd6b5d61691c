// What an employee writes, and the assistant's answer to it (W-04).
import type { Context, EmployeeActor } from '@keelson/core';
import { answerEmployee, type Turn } from '@keelson/modules/assistant';
import { ASSISTANT, lockChat, lockOwnChat } from './chats.ts';
import type { Chat, ChatMessage } from './entities.ts';
import { addMessage, addUsersMessage, lastMessages } from './messages.ts';

/** What the assistant is told of what was said before. */
const HISTORY = 7;

/**
 * Stores the message and then, in a transaction of its own, the assistant's answer: nothing waits for a slow one but this
 * request. Outside of a transaction.
 */
export async function sendMessage(ctx: Context<EmployeeActor>, chat_id: number, text: string): Promise<ChatMessage> {
  const { chat, message } = await ctx.transaction(async (inner) =>
    addUsersMessage(inner, await lockOwnChat(inner, chat_id), text),
  );
  // The message is stored, and whoever sent it must not send it again because there is no answer.
  if (chat.status === 'active')
    await answer(ctx, chat, message).catch((err: unknown) => ctx.log.error({ err, chat_id }, 'No answer in a chat'));
  return message;
}

async function answer(ctx: Context<EmployeeActor>, { chat_id }: Chat, asked: ChatMessage): Promise<void> {
  const said = await lastMessages(ctx, chat_id, HISTORY);
  const before = said.filter((each) => each.message_id < asked.message_id);
  const message = await answerEmployee(ctx, asked.message, before.flatMap(turnOf));
  await ctx.transaction(async (inner) => {
    const chat = await lockChat(inner, chat_id);
    // Meanwhile a person may have been asked for, or has answered (W-07).
    if (chat.status !== 'active') return;
    await addMessage(inner, chat, { sender_type: 'assistant', sender_name: ASSISTANT, message });
  });
}

function turnOf({ sender_type, message }: ChatMessage): Turn[] {
  return sender_type === 'user' || sender_type === 'assistant' ? [{ by: sender_type, message }] : [];
}
