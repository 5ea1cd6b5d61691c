import { subscriber } from '@keelson/core';
import { TicketAnswered, TicketConcern, TicketFollowed, TicketMentioned } from '@keelson/modules/tickets';
import { notify } from './notifications.ts';

export default [
  subscriber('desk.concern', TicketConcern, (ctx, { data, at }) => notify(ctx, data, at)),
  subscriber('desk.answered', TicketAnswered, (ctx, { data, at }) => notify(ctx, { ...data, kind: 'answered' }, at)),
  subscriber('desk.followed', TicketFollowed, (ctx, { data, at }) => notify(ctx, data, at)),
  subscriber('desk.mentioned', TicketMentioned, async (ctx, { data, at }) => {
    for (const user_id of data.user_ids) await notify(ctx, { ...data, user_id, kind: 'mentioned' }, at);
  }),
];
