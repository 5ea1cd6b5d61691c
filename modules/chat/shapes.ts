import { z } from '@keelson/core';
import { MessageItem, OwnChat } from './chats/chat-list.ts';

/** The response to start (S-06). */
export const StartedChat = OwnChat.shape.extend({ resumed: z.boolean(), messages: z.array(MessageItem.shape) });
/** The response to an action (S-05, W-12). */
export const EndedChat = z.object({ chat_id: z.int(), status: OwnChat.shape.shape.status, ended_at: z.iso.datetime() });
export const HandedOver = OwnChat.shape.pick({ chat_id: true, status: true, ticket_id: true });
