// Renders a conversation as text, for the description of its ticket.
import type { Context } from '@keelson/core';
import type { Chat } from '../entities.ts';
import { lastMessages } from './messages.ts';

/** The description's limits, in messages and characters. */
const MESSAGES = 200;
const LONGEST = 20_000;

/** Returns the conversation with its senders, oldest first. Keeps only the end of a long one. */
export async function transcriptOf(ctx: Context, { chat_id, messages }: Chat): Promise<string> {
  const last = await lastMessages(ctx, chat_id, MESSAGES);
  const lines = last.map(({ sender_name, message }) => (sender_name === '' ? message : `${sender_name}: ${message}`));
  const kept: string[] = [];
  let length = 0;
  for (const line of lines.toReversed()) {
    length += line.length + 2;
    if (length > LONGEST && kept.length > 0) break;
    kept.unshift(line);
  }
  const left = messages - kept.length;
  return [...(left > 0 ? [`(${left} earlier messages)`] : []), ...kept].join('\n\n');
}
