import { added, admin, created, findOr404, input, item, list, pageOf, showOne, z } from '@keelson/core';
import { optionalJobTypeField, priorityField, ReadTickets, TicketItem, WriteTickets } from '@keelson/modules/tickets';
import { acceptChat, answerAsAgent, endAsAgent } from '../chats/agents.ts';
import { ChatItem, ChatNoun, QueuedChat, SignedMessage } from '../chats/chat-list.ts';
import { lockChat } from '../chats/chats.ts';
import { ticketForAgent } from '../tickets/chat-ticket.ts';

const { status, source, company_number } = QueuedChat.query;

export default [
  admin.get('/chat/sessions.php', {
    title: 'List waiting chats and your own',
    access: ReadTickets,
    addition: true,
    query: admin.paging({ status, source, company_number }),
    returns: list(QueuedChat),
    handle: (ctx, { query }) => pageOf(ctx, QueuedChat, query),
  }),
  admin.get('/chat/sessions.php?id={id}', {
    title: 'Read a chat',
    access: ReadTickets,
    addition: true,
    returns: item(ChatItem),
    load: (ctx, { id }) => findOr404(ctx, ChatNoun, id),
    handle: (ctx, { item: chat }) => showOne(ctx, ChatItem, chat),
  }),
  admin.get('/chat/sessions.php?action=messages&id={id}', {
    title: 'List the messages of a chat',
    access: ReadTickets,
    addition: true,
    query: admin.paging({ since: SignedMessage.query.since }),
    returns: list(SignedMessage),
    load: (ctx, { id }) => findOr404(ctx, ChatNoun, id),
    handle: (ctx, { item: { chat_id }, query }) => pageOf(ctx, SignedMessage, { ...query, chat_id }),
  }),
  admin.post('/chat/sessions.php?action=messages&id={id}', {
    title: 'Reply in a chat',
    access: WriteTickets,
    addition: true,
    unlogged: true,
    body: z.object({ message: input.longText(4000) }),
    returns: created(SignedMessage),
    load: (ctx, { id }) => lockChat(ctx, id),
    handle: (ctx, { item: chat, body }) => showOne(ctx, SignedMessage, answerAsAgent(ctx, chat, body.message)),
  }),
  admin.post('/chat/sessions.php?action=accept&id={id}', {
    title: 'Accept a chat',
    access: WriteTickets,
    addition: true,
    returns: item(ChatItem),
    load: (ctx, { id }) => lockChat(ctx, id),
    handle: (ctx, { item: chat }) => showOne(ctx, ChatItem, acceptChat(ctx, chat)),
  }),
  admin.post('/chat/sessions.php?action=ticket&id={id}', {
    title: 'Create a ticket from a chat',
    access: WriteTickets,
    addition: true,
    body: z.object({
      company_number: input.optional(input.id()),
      subject: input.optionalText(255),
      description: input.optionalLongText(),
      priority: input.optional(priorityField),
      job_type: optionalJobTypeField,
    }),
    returns: added(TicketItem),
    load: (ctx, { id }) => lockChat(ctx, id),
    async handle(ctx, { item: chat, body }) {
      const { ticket, added: isNew } = await ticketForAgent(ctx, chat, body);
      return { row: await showOne(ctx, TicketItem, ticket), added: isNew };
    },
  }),
  admin.post('/chat/sessions.php?action=end&id={id}', {
    title: 'End a chat',
    access: WriteTickets,
    addition: true,
    returns: item(ChatItem),
    load: (ctx, { id }) => lockChat(ctx, id),
    handle: (ctx, { item: chat }) => showOne(ctx, ChatItem, endAsAgent(ctx, chat)),
  }),
];
