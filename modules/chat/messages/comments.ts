// Copies the provider's comments on a chat's ticket into the chat, once and in order (W-08). Internal notes are never
// copied.
import { In } from '@keelson/core';
import type { Context } from '@keelson/core';
import type { Author } from '@keelson/core/log';
import { nextPublicComments, type TicketComment } from '@keelson/modules/tickets';
import { Chat, ChatMessage } from '../entities.ts';
import { addMessage, answeredBy, isOpen } from './messages.ts';

const AT_ONCE = 50;

/**
 * Adds the ticket's comments that its chat does not have yet. Comments of a ticket are created one at a time, so their
 * ids are in order; the chat stores the last one under its own lock.
 */
export async function addComments(ctx: Context, ticket_id: number): Promise<void> {
  const known = await ctx.db.findOneBy(Chat, { ticket_id });
  if (!known) return;
  let chat = await ctx.db.findOne(Chat, {
    where: { chat_id: known.chat_id, ticket_id },
    lock: { mode: 'pessimistic_write' },
  });
  while (chat && isOpen(chat)) {
    const found = await nextPublicComments(ctx, ticket_id, { after: chat.seen_comment_id, limit: AT_ONCE });
    const copied = await ctx.db.findBy(ChatMessage, { comment_id: In(found.map((each) => each.comment_id)) });
    const already = new Set(copied.map((each) => each.comment_id));
    for (const each of found.filter(isAgents)) {
      if (already.has(each.comment_id) || !isOpen(chat)) continue;
      const { comment: message, comment_id, author_name: sender_name } = each;
      const said = { sender_type: 'agent', sender_name, message, comment_id } as const;
      // A program's comment, such as a receipt, does not hand the chat over (W-28).
      const changes: Partial<Chat> = each.author_type === 'technician' ? answeredBy(ctx, chat, authorOf(each)) : {};
      chat = (await addMessage(ctx, chat, said, changes)).chat;
    }
    const seen_comment_id: number = found.at(-1)?.comment_id ?? chat.seen_comment_id;
    await ctx.db.update(Chat, { chat_id: chat.chat_id }, { seen_comment_id });
    if (found.length < AT_ONCE) return;
    chat = { ...chat, seen_comment_id };
  }
}

function isAgents({ author_type }: TicketComment): boolean {
  return author_type === 'technician' || author_type === 'api';
}

function authorOf({ author_type: type, author_id: id, author_name: name }: TicketComment): Author {
  return { type, id, name };
}
