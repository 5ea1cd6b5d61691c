import { crm, flat, input, z } from '@keelson/core';
import { readServiceStatus } from '@keelson/modules/assistant';
import { readConversation } from '../people.ts';
import { UseWidget } from '../permissions.ts';
import { beginSession, endSession, exchange, explainerOf } from '../sessions.ts';
import { Conversation, Ended, Exchange, ServiceState, Started } from '../shapes.ts';

// Not logged: visitors would flood the activity log.
const visitors = { access: UseWidget, crossOrigin: true, unlogged: true } as const;

const session_id = input.text(64);

export default [
  crm.post('/widget/init', {
    title: 'Start a visitor chat',
    operationId: 'startWidgetChat',
    ...visitors,
    body: z.object({
      visitor_id: input.optionalText(100),
      page_url: input.optionalText(2048),
      referrer: input.optionalText(2048),
    }),
    returns: flat(Started),
    handle: (ctx, { body }) => beginSession(ctx, body),
  }),
  crm.post('/widget/message', {
    title: 'Send a visitor’s message',
    operationId: 'sendWidgetMessage',
    ...visitors,
    body: z.object({
      session_id,
      message: input.longText(4000),
      /** Chosen by the client, unique within the session: a message sent again is not answered twice. */
      message_id: input.optionalText(64),
    }),
    returns: flat(Exchange),
    // Answers are looked up outside a transaction.
    slow: true,
    handle: (ctx, { body }) => exchange(ctx, body),
  }),
  crm.post('/widget/messages', {
    title: 'List new messages for a visitor',
    operationId: 'listWidgetMessages',
    ...visitors,
    addition: true,
    // POST rather than GET, because the session id is a secret and URLs are logged in many places.
    body: z.object({ session_id, since: input.optional(input.timestamp()) }),
    returns: flat(Conversation),
    handle: (ctx, { body }) => readConversation(ctx, body),
  }),
  crm.post('/widget/end', {
    title: 'End a visitor chat',
    operationId: 'endWidgetChat',
    ...visitors,
    body: z.object({ session_id }),
    returns: flat(Ended),
    handle: (ctx, { body }) => endSession(ctx, body),
  }),
  crm.get('/widget/status', {
    title: 'Show service status to visitors',
    ...visitors,
    returns: flat(ServiceState),
    handle: async (ctx) => {
      const { message, ...state } = await readServiceStatus(ctx.app);
      return { success: true as const, ...state, message: explainerOf(ctx)(message) };
    },
  }),
];
