// Technicians' actions in chats (NW-14).
import { announceChange, conflict, In, type Admin, type Context } from '@keelson/core';
import { explained } from '@keelson/core/kit';
import { commentOnTicket } from '@keelson/modules/tickets';
import { Chat, type ChatMessage } from '../entities.ts';
import { addMessage, answeredBy, checkOpen } from '../messages/messages.ts';
import { lockLinkedTicket } from '../tickets/linked-ticket.ts';
import { endChat } from './chats.ts';

/**
 * Accepts a chat that was locked in the same transaction. Repeating it changes nothing.
 * @throws conflict() when a colleague has it
 */
export async function acceptChat(ctx: Context<Admin>, chat: Chat): Promise<Chat> {
  checkOpen(chat);
  if (chat.status === 'with_agent' && chat.agent_id === userOf(ctx)) return chat;
  if (chat.agent_id !== null) throw conflict('Another technician has accepted the chat');
  log(ctx, chat, 'accepted');
  const message = explained(`${ctx.author.name} has joined the chat.`);
  return (await addMessage(ctx, chat, { sender_type: 'system', message }, answeredBy(ctx, chat, ctx.author))).chat;
}

/**
 * Writes into a chat that was locked in the same transaction. Adds a comment to its ticket, with a mail only if the
 * requester cannot read the chat because their company no longer has the module (W-28).
 */
export async function answerAsAgent(ctx: Context<Admin>, chat: Chat, message: string): Promise<ChatMessage> {
  checkOpen(chat);
  const ticket = await lockLinkedTicket(ctx, chat);
  const { company_number } = chat;
  const isOn = company_number === null || (await ctx.app.switches.enabled(ctx, company_number, 'chat'));
  const said = { comment: message, is_internal: false, ...(isOn && { unmailed: 'requester' as const }) };
  const comment_id = ticket ? (await commentOnTicket(ctx, ticket, said)).comment_id : null;
  const answer = { sender_type: 'agent', sender_name: ctx.author.name, message, comment_id } as const;
  return (await addMessage(ctx, chat, answer, answeredBy(ctx, chat, ctx.author))).message;
}

/** Ends a chat that was locked in the same transaction. Repeating it changes nothing. */
export async function endAsAgent(ctx: Context<Admin>, chat: Chat): Promise<Chat> {
  if (chat.status !== 'ended') log(ctx, chat, 'ended');
  return endChat(ctx, chat);
}

/** Returns the chats of a technician who has left to the queue. */
export async function requeueChats(ctx: Context, agent_id: number): Promise<void> {
  const chats = await ctx.db.find(Chat, {
    where: { status: 'with_agent', agent_id },
    order: { chat_id: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  });
  const waiting = { status: 'waiting_agent', agent_id: null } as const;
  await ctx.db.update(Chat, { chat_id: In(chats.map((each) => each.chat_id)) }, waiting);
  for (const row of chats) announceChange(ctx, { of: Chat, row: { ...row, ...waiting }, kind: 'changed' });
}

function userOf({ actor }: Context<Admin>): number | null {
  return actor.kind === 'technician' ? actor.user_id : null;
}

function log(ctx: Context, { chat_id, person_name }: Chat, what: string): void {
  ctx.record({
    action: 'update',
    entity_type: 'chat',
    entity_id: chat_id,
    description: `Chat with ${person_name} ${what}`,
  });
}
