// An employee's message and the assistant's answer (W-04). The answer is due once the message is stored. The request
// that brought the message answers it, or a job if that failed or died (W-35).
import {
  IsNull,
  LessThanOrEqual,
  plus,
  secondsBetween,
  type Context,
  type EmployeeActor,
  type Timestamp,
} from '@keelson/core';
import { contextAs } from '@keelson/modules/accounts';
import { answerEmployee, type Turn } from '@keelson/modules/assistant';
import { ASSISTANT, lockChat, lockOwnChat } from '../chats/chats.ts';
import { Chat, ChatMessage } from '../entities.ts';
import { addMessage, addUsersMessage, ANSWERED_WITHIN, lastMessages } from './messages.ts';

/** Maximum previous messages passed to the assistant. */
const HISTORY = 7;
/** Answers that the job generates concurrently: a company has no more language-model slots. */
const AT_ONCE = 4;

/**
 * Stores the message and then, in a separate transaction, the assistant's answer, so that a slow answer delays only
 * this request. Call it outside a transaction.
 */
export async function sendMessage(ctx: Context<EmployeeActor>, chat_id: number, text: string): Promise<ChatMessage> {
  const { message } = await ctx.transaction(async (inner) =>
    addUsersMessage(inner, await lockOwnChat(inner, chat_id), text),
  );
  // The message is stored: a missing answer must not make the client send it again.
  if (message.answer_due_at !== null)
    await answer(ctx, message).catch((err: unknown) =>
      ctx.log.error({ err, chat_id }, 'Chat message still unanswered'),
    );
  return message;
}

/** Answers messages whose answer is overdue. */
export async function answerOwed(outside: Context<undefined>): Promise<void> {
  for (;;) {
    const where = { answer_due_at: LessThanOrEqual(outside.now) };
    const owed = await outside.db.find(ChatMessage, { where, order: { answer_due_at: 'ASC' }, take: AT_ONCE });
    if (owed.length === 0) return;
    await Promise.all(owed.map((each) => takeUp(outside, each)));
  }
}

async function takeUp(outside: Context<undefined>, owed: ChatMessage): Promise<void> {
  const { chat_id, message_id, answer_due_at } = owed;
  // Only one process wins the update. Repeated failures are retried with backoff.
  const next = nextTry(owed, outside.app.clock.now());
  if (
    !(
      await outside.db.update(
        ChatMessage,
        { message_id, answer_due_at: answer_due_at ?? IsNull() },
        { answer_due_at: next },
      )
    ).affected
  )
    return;
  try {
    const chat = await outside.db.findOneBy(Chat, { chat_id });
    const person = await contextAs(outside.app, { type: 'employee', id: chat?.employee_number ?? 0 });
    if (person) return await answer(person, owed);
    await outside.db.update(ChatMessage, { message_id }, { answer_due_at: null });
  } catch (err) {
    outside.log.error({ err, chat_id }, 'Chat message still unanswered after a retry');
  }
}

function nextTry({ created_at }: ChatMessage, now: Timestamp): Timestamp {
  return plus(now, { seconds: Math.max(ANSWERED_WITHIN.seconds, secondsBetween(created_at, now)) });
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
    const owed = await inner.db.findOneBy(ChatMessage, { message_id });
    // Another process has answered already.
    if (!owed || owed.answer_due_at === null) return;
    await inner.db.update(ChatMessage, { message_id }, { answer_due_at: null });
    // Meanwhile, a person may have been requested or may have answered (W-07).
    if (chat.status !== 'active') return;
    await addMessage(inner, chat, { sender_type: 'assistant', sender_name: ASSISTANT, message });
  });
}

function turnOf({ sender_type, message }: ChatMessage): Turn[] {
  return sender_type === 'user' || sender_type === 'assistant' ? [{ by: sender_type, message }] : [];
}
