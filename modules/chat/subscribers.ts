import { subscriber } from '@keelson/core';
import { TicketCommented } from '@keelson/modules/tickets';
import { addComments } from './messages/comments.ts';

export default [subscriber('chat.comments', TicketCommented, (ctx, { data }) => addComments(ctx, data.ticket_id))];
