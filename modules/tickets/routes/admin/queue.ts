import { admin, all, input, item, param, z } from '@keelson/core';
import { countViews, ViewCount } from '../../counts.ts';
import { ReadTickets } from '../../permissions.ts';
import { markRead } from '../../read-marks.ts';
import { suggestTags } from '../../tags.ts';
import { findTicket } from '../../tickets.ts';

const TagShape = z.object({ tag: z.string() });

export default [
  admin.get('/tickets.php?action=tags', {
    title: 'List the tags in use',
    addition: true,
    access: ReadTickets,
    query: z.object({ starts_with: param.text(40) }),
    returns: all(TagShape),
    handle: (ctx, { query: { starts_with } }) => suggestTags(ctx, starts_with),
  }),
  admin.get('/tickets.php?action=counts', {
    title: 'Count the tickets of several views',
    addition: true,
    access: ReadTickets,
    query: z.object({ views: param.text(4000) }),
    returns: all(ViewCount),
    handle: (ctx, { query: { views } }) => countViews(ctx, views),
  }),
  admin.post('/tickets.php?action=read&id={id}', {
    title: 'Note that one has read a ticket',
    addition: true,
    // Viewing is not an auditable change.
    unlogged: true,
    access: ReadTickets,
    body: z.object({ updated_at: input.optional(input.timestamp()) }),
    returns: item(z.object({ ticket_id: z.int(), unread: z.boolean() })),
    load: (ctx, { id }) => findTicket(ctx, id),
    handle: (ctx, { item: ticket, body: { updated_at } }) => markRead(ctx, ticket, updated_at),
  }),
];
