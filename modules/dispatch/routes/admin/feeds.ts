import { admin, all, input, nothing, z } from '@keelson/core';
import { people } from '../../access.ts';
import { feedKinds } from '../../feeds/entities.ts';
import { addFeed, FeedShape, listFeeds, removeFeed } from '../../feeds/feeds.ts';

const newFeed = z.object({
  kind: input.choice(feedKinds),
  team_id: input.optional(input.id()),
  busy_only: input.optional(input.flag()),
});

export default [
  admin.get('/dispatch/feeds.php', {
    title: 'List your calendar feeds',
    addition: true,
    access: people,
    returns: all(FeedShape),
    handle: (ctx) => listFeeds(ctx, ctx.actor.user_id),
  }),
  admin.post('/dispatch/feeds.php', {
    title: 'Add a calendar feed',
    addition: true,
    access: people,
    body: newFeed,
    returns: all(FeedShape),
    handle: async (ctx, { body }) => {
      await addFeed(ctx, ctx.actor.user_id, body);
      return listFeeds(ctx, ctx.actor.user_id);
    },
  }),
  admin.delete('/dispatch/feeds.php?id={id}', {
    title: 'Revoke a calendar feed',
    addition: true,
    access: people,
    returns: nothing(),
    handle: (ctx, { params }) => removeFeed(ctx, ctx.actor.user_id, params.id),
  }),
];
