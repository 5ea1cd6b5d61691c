// What an employee writes, and the assistant's answer to it (W-04). The answer is owed from the moment the message is stored,
// and whoever stores it settles that: the request that brought the message, or a job when that has failed or died (W-35).
import { atMost, plus, secondsBetween, type Context, type EmployeeActor, type Timestamp } from '@keelson/core';
import { isEmployee } from '@keelson/core/surfaces';
import { contextAs } from '@keelson/modules/accounts';
import { answerEmployee, type Turn } from '@keelson/modules/assistant';
import { ASSISTANT, lockChat, lockOwnChat } from './chats.ts';
import { Chat, ChatMessage } from './entities.ts';
import { addMessage, addUsersMessage, ANSWERED_WITHIN, lastMessages } from './messages.ts';

/** What the assistant is told of what was said before. */
const HISTORY = 7;
/** Answers that a job makes at the same time: a company has no more places with a language model. */
const AT_ONCE = 4;

/**
 * Stores the message and then, in a transaction of its own, the assistant's answer: nothing waits for a slow one but this
 * request. Outside of a transaction.
 */
export async function sendMessage(ctx: Context<EmployeeActor>, chat_id: number, text: string): Promise<ChatMessage> {
  const { message } = await ctx.transaction(async (inner) =>
    addUsersMessage(inner, await lockOwnChat(inner, chat_id), text),
  );
  // The message is stored, and whoever sent it must not send it again because there is no answer yet.
  if (message.answer_due_at !== null)
    await answer(ctx, message).catch((err: unknown) => ctx.log.error({ err, chat_id }, 'No answer in a chat yet'));
  return message;
}

/** Answers what others should have answered by now. */
export async function answerOwed(outside: Context<undefined>): Promise<void> {
  for (;;) {
    const where = { answer_due_at: atMost(outside.now) };
    const owed = await outside.db.find(ChatMessage, where, { order: [['answer_due_at', 'ASC']], limit: AT_ONCE });
    if (owed.length === 0) return;
    await Promise.all(owed.map((each) => takeUp(outside, each)));
  }
}

async function takeUp(outside: Context<undefined>, owed: ChatMessage): Promise<void> {
  const { chat_id, message_id, answer_due_at } = owed;
  // Of several processes one gets it. What fails again and again is tried less and less often.
  const next = nextTry(owed, outside.app.clock.now());
  if (!(await outside.db.update(ChatMessage, { message_id, answer_due_at }, { answer_due_at: next }))) return;
  try {
    const chat = await outside.db.one(Chat, { chat_id });
    const person = await contextAs(outside.app, { type: 'employee', id: chat?.employee_number ?? 0 });
    if (person && isOfEmployee(person)) return await answer(person, owed);
    await outside.db.update(ChatMessage, { message_id }, { answer_due_at: null });
  } catch (err) {
    outside.log.error({ err, chat_id }, 'No answer in a chat, again');
  }
}

function nextTry({ created_at }: ChatMessage, now: Timestamp): Timestamp {
  return plus(now, { seconds: Math.max(ANSWERED_WITHIN.seconds, secondsBetween(created_at, now)) });
}

function isOfEmployee(ctx: Context): ctx is Context<EmployeeActor> {
  return isEmployee(ctx.actor);
}

async function answer(
  ctx: Context<EmployeeActor>,
  { chat_id, message_id, message: asked }: ChatMessage,
): Promise<void> {
  const said = await lastMessages(ctx, chat_id, HISTORY);
  const before = said.filter((each) => each.message_id < message_id);
  const message = await answerEmployee(ctx, asked, before.flatMap(turnOf));
  await ctx.transaction(async (inner) => {
    const chat = await lockChat(inner, chat_id);
    const owed = await inner.db.one(ChatMessage, { message_id });
    // Somebody else was faster.
    if (!owed || owed.answer_due_at === null) return;
    await inner.db.update(ChatMessage, { message_id }, { answer_due_at: null });
    // Meanwhile a person may have been asked for, or has answered (W-07).
    if (chat.status !== 'active') return;
    await addMessage(inner, chat, { sender_type: 'assistant', sender_name: ASSISTANT, message });
  });
}

function turnOf({ sender_type, message }: ChatMessage): Turn[] {
  return sender_type === 'user' || sender_type === 'assistant' ? [{ by: sender_type, message }] : [];
}
