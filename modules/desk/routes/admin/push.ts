import { admin, item, nothing } from '@keelson/core';
import { people } from '../../access.ts';
import { newSubscription, PushShape, showPush, subscribe, unsubscribe } from '../../push/subscriptions.ts';

const own = { access: people, addition: true } as const;

export default [
  admin.get('/notifications.php?action=browsers', {
    title: 'List the browsers that show your notifications',
    ...own,
    returns: item(PushShape),
    handle: (ctx) => showPush(ctx),
  }),
  admin.post('/notifications.php?action=browsers', {
    title: 'Show your notifications in a browser',
    ...own,
    body: newSubscription,
    returns: item(PushShape),
    handle: async (ctx, { body }) => {
      await subscribe(ctx, body);
      return showPush(ctx);
    },
  }),
  admin.delete('/notifications.php?action=browsers&subscription_id={subscription_id}', {
    title: 'Stop showing your notifications in a browser',
    ...own,
    returns: nothing(),
    handle: (ctx, { params: { subscription_id } }) => unsubscribe(ctx, subscription_id),
  }),
];
