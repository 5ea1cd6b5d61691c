import { admin, item, list, pageOf, z } from '@keelson/core';
import { people } from '../../access.ts';
import { countUnread, markRead, NotificationItem, readMarks } from '../../notifications/notifications.ts';

const own = { access: people, addition: true } as const;
const Unread = z.object({ unread: z.int() });

export default [
  admin.get('/notifications.php', {
    title: 'List your notifications',
    ...own,
    query: admin.paging(NotificationItem.query),
    returns: list(NotificationItem),
    handle: (ctx, { query }) => pageOf(ctx, NotificationItem, query),
  }),
  admin.get('/notifications.php?action=unread', {
    title: 'Count your unread notifications',
    ...own,
    returns: item(Unread),
    handle: async (ctx) => ({ unread: await countUnread(ctx) }),
  }),
  admin.put('/notifications.php', {
    title: 'Mark notifications as read',
    ...own,
    unlogged: true,
    body: readMarks,
    returns: item(Unread),
    handle: async (ctx, { body }) => ({ unread: await markRead(ctx, body) }),
  }),
];
