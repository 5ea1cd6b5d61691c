import { admin, all, input, item, param, z } from '@keelson/core';
import { markRead } from '../../comments/read-marks.ts';
import { countViews, ViewCount } from '../../figures/counts.ts';
import { readLoad, TechnicianLoad } from '../../people/load.ts';
import { ReadTickets } from '../../permissions.ts';
import { suggestTags } from '../../ticket/tags.ts';
import { findTicket } from '../../ticket/tickets.ts';

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
  admin.get('/tickets.php?action=load', {
    title: 'Read the load of technicians',
    addition: true,
    access: ReadTickets,
    returns: all(TechnicianLoad),
    handle: (ctx) => readLoad(ctx),
  }),
  admin.get('/tickets.php?action=counts', {
    title: 'Count tickets per view',
    addition: true,
    access: ReadTickets,
    query: z.object({ views: param.text(4000) }),
    returns: all(ViewCount),
    handle: (ctx, { query: { views } }) => countViews(ctx, views),
  }),
  admin.post('/tickets.php?action=read&id={id}', {
    title: 'Mark a ticket as read',
    operationId: 'markTicketRead',
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
