import { subscriber } from '@keelson/core';
import { TechnicianLeft } from '@keelson/modules/directory';
import { TicketCommented } from '@keelson/modules/tickets';
import { requeueChats } from './chats/agents.ts';
import { addComments } from './messages/comments.ts';

export default [
  subscriber('chat.comments', TicketCommented, (ctx, { data }) => addComments(ctx, data.ticket_id)),
  subscriber('chat.requeue', TechnicianLeft, (ctx, { data }) => requeueChats(ctx, data.user_id)),
];
