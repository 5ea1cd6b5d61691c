// Views and lists of chats and their messages.
import { by, listed, noun, param, restrict, sql, toDatabase, view, z, type Context } from '@keelson/core';
import { CompanyNames, TechnicianNames } from '@keelson/modules/directory';
import { livingTickets } from '@keelson/modules/tickets';
import { Chat, ChatMessage } from '../entities.ts';
import { ownChats, queuedChats } from './visible.ts';

export const ChatNoun = noun(Chat, {
  title: 'Chat',
  filters: (its) => ({
    status: its.is('status'),
    source: its.is('source'),
    company_number: its.is('company_number'),
  }),
  sorts: { requested_at: by('requested_at'), started_at: by('started_at') },
  order: 'asc',
});

/** A chat as technicians see it. */
export const ChatItem = view(ChatNoun, {
  except: ['ticket_id'],
  more: (its) => ({
    // Null once the ticket is deleted (T-23).
    ticket_id: its.lookup(z.int().nullable(), 'ticket_id', livingTickets, null),
    company_name: its.name(CompanyNames, 'company_number'),
    agent_name: its.name(TechnicianNames, 'agent_id'),
    /** The person wrote after the last agent. */
    awaits_answer: its.lookup(z.boolean(), 'chat_id', readTurns, false),
  }),
});
/** A chat in the queue. */
export const QueuedChat = restrict(ChatItem, queuedChats);
/** A chat as its employee sees it (M-19). */
export const OwnChat = restrict(
  view(ChatNoun, {
    only: ['chat_id', 'status', 'started_at'],
    more: (its) => ({ ticket_id: its.lookup(z.int().nullable(), 'ticket_id', livingTickets, null) }),
  }),
  ownChats,
);

const Messages = noun(ChatMessage, {
  title: 'Message',
  filters: (its) => ({
    chat_id: its.is('chat_id'),
    // Strictly later (P-14).
    since: its.by(param.dayOrTime('from'), (_ctx, at) => sql`chat_message.created_at > ${toDatabase(at)}`),
  }),
  sorts: { created_at: by('created_at') },
  order: 'asc',
});

/** With milliseconds, because polling continues from the last message (V-04). */
const precise = z.iso.datetime({ precision: 3 });

/** A message as employees and visitors see it. */
export const MessageItem = view(Messages, {
  only: ['message_id', 'sender_type', 'message'],
  more: (its) => ({ created_at: its.from(precise, ['created_at'], (row) => row.created_at) }),
});
/** A message as technicians see it, with its sender. */
export const SignedMessage = view(Messages, {
  only: ['message_id', 'sender_type', 'sender_name', 'message'],
  more: (its) => ({ created_at: its.from(precise, ['created_at'], (row) => row.created_at) }),
});

/** Returns true for the chats in which the person wrote after the last agent. */
async function readTurns({ db }: Context, ids: readonly number[]): Promise<ReadonlyMap<number, boolean>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ chat_id: number }>(sql`SELECT chat_id FROM chat_message WHERE sender_type = 'user'
    AND message_id IN (SELECT MAX(message_id) FROM chat_message
      WHERE chat_id IN ${listed(ids)} AND sender_type IN ('user', 'agent') GROUP BY chat_id)`);
  return new Map(rows.map(({ chat_id }) => [Number(chat_id), true]));
}
