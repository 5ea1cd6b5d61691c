import {
  added,
  flat,
  helpdesk,
  input,
  item,
  list,
  pageOf,
  show,
  showOne,
  signedIn,
  ticketCreator,
  z,
} from '@keelson/core';
import { optionalJobTypeField, PortalReceipt, priorityField } from '@keelson/modules/tickets';
import { MessageItem, OwnChat } from '../chats/chat-list.ts';
import { endChat, findOwnChat, lockOwnChat, startChat } from '../chats/chats.ts';
import { sendMessage } from '../messages/answer.ts';
import { EndedChat, HandedOver, StartedChat } from '../shapes.ts';
import { requestAgent, ticketOfChat } from '../tickets/chat-ticket.ts';

const { since } = MessageItem.query;

export default [
  helpdesk.post('/chat/start', {
    title: 'Start or resume a chat',
    access: signedIn,
    // Messages are not in the activity log.
    unlogged: true,
    returns: flat(StartedChat),
    async handle(ctx) {
      const { chat, resumed, messages } = await startChat(ctx);
      return { ...(await showOne(ctx, OwnChat, chat)), resumed, messages: await show(ctx, MessageItem, messages) };
    },
  }),
  helpdesk.get('/chat/{id}/messages', {
    title: 'List the messages of your chat',
    access: signedIn,
    query: helpdesk.paging({ since }),
    returns: list(MessageItem, 'messages'),
    load: (ctx, { id }) => findOwnChat(ctx, id),
    handle: (ctx, { item: chat_id, query }) => pageOf(ctx, MessageItem, { ...query, chat_id }),
  }),
  helpdesk.post('/chat/{id}/messages', {
    title: 'Send a message',
    operationId: 'createChatMessage',
    access: signedIn,
    unlogged: true,
    body: z.object({ message: input.longText(4000) }),
    returns: flat(MessageItem.shape),
    // Calls the assistant outside a transaction, once the message is stored.
    slow: true,
    load: (ctx, { id }) => findOwnChat(ctx, id),
    handle: async (ctx, { item: chat_id, body }) => showOne(ctx, MessageItem, sendMessage(ctx, chat_id, body.message)),
  }),
  helpdesk.post('/chat/{id}/ticket', {
    title: 'Create a ticket from your chat',
    access: ticketCreator,
    unlogged: true,
    body: z.object({
      subject: input.optionalText(255),
      description: input.optionalLongText(),
      priority: input.optional(priorityField),
      job_type: optionalJobTypeField,
    }),
    returns: added(PortalReceipt),
    load: (ctx, { id }) => lockOwnChat(ctx, id),
    async handle(ctx, { item: chat, body }) {
      const { ticket, added: isNew } = await ticketOfChat(ctx, chat, body);
      return { row: { ...ticket, requires_approval: ticket.approval_status === 'pending' }, added: isNew };
    },
  }),
  helpdesk.post('/chat/{id}/request-agent', {
    title: 'Request a person in your chat',
    access: signedIn,
    unlogged: true,
    returns: item(HandedOver),
    load: (ctx, { id }) => lockOwnChat(ctx, id),
    handle: async (ctx, { item: chat }) => showOne(ctx, OwnChat, requestAgent(ctx, chat)),
  }),
  helpdesk.post('/chat/{id}/end', {
    title: 'End your chat',
    access: signedIn,
    unlogged: true,
    returns: item(EndedChat),
    load: (ctx, { id }) => lockOwnChat(ctx, id),
    async handle(ctx, { item: chat }) {
      const { chat_id, status, ended_at } = await endChat(ctx, chat);
      return { chat_id, status, ended_at: ended_at ?? ctx.now };
    },
  }),
];
