import { admin, input, item, list, nothing, pageOf, showOne, z } from '@keelson/core';
import { HistoryLine } from '@keelson/core/record';
import { changeNote, deleteNote, lockComment } from '../../comments/notes.ts';
import { Ticket } from '../../entities.ts';
import { addWatcher, removeWatcher } from '../../people/watchers.ts';
import { ReadTickets, WriteTickets } from '../../permissions.ts';
import { mergeTicket } from '../../related/merge.ts';
import { readTicketDetail, TicketDetail } from '../../ticket/detail.ts';
import { CommentItem } from '../../ticket/list.ts';
import { findTicket, lockTicket } from '../../ticket/tickets.ts';

const comment = '/tickets.php?action=comments&id={id}&comment_id={comment_id}';

export default [
  admin.post('/tickets.php?action=merge&id={id}', {
    title: 'Merge a ticket into another',
    addition: true,
    access: WriteTickets,
    body: z.object({ into: input.id() }),
    returns: item(TicketDetail),
    load: (ctx, { id }) => findTicket(ctx, id),
    handle: async (ctx, { item: { ticket_id }, body: { into } }) =>
      readTicketDetail(ctx, await mergeTicket(ctx, ticket_id, into)),
  }),
  admin.get('/tickets.php?action=history&id={id}', {
    title: 'List the changes of a ticket',
    addition: true,
    access: ReadTickets,
    query: admin.paging({}),
    returns: list(HistoryLine),
    load: (ctx, { id }) => findTicket(ctx, id),
    handle: (ctx, { item: { ticket_id }, query }) =>
      pageOf(ctx, HistoryLine, { ...query, entity_type: Ticket.name, entity_id: String(ticket_id) }),
  }),
  admin.post('/tickets.php?action=watchers&id={id}', {
    title: 'Add a watcher to a ticket',
    operationId: 'addTicketWatcher',
    addition: true,
    access: WriteTickets,
    body: z.object({ employee_number: input.optional(input.id()), user_id: input.optional(input.id()) }),
    returns: item(TicketDetail),
    load: (ctx, { id }) => lockTicket(ctx, id),
    handle: async (ctx, { item: ticket, body }) => {
      await addWatcher(ctx, ticket, body);
      return readTicketDetail(ctx, ticket);
    },
  }),
  admin.delete('/tickets.php?action=watchers&id={id}&watcher_id={watcher_id}', {
    title: 'Remove a watcher from a ticket',
    addition: true,
    access: WriteTickets,
    returns: nothing(),
    load: (ctx, { id }) => lockTicket(ctx, id),
    handle: (ctx, { item: ticket, params }) => removeWatcher(ctx, ticket, params.watcher_id),
  }),
  admin.put(comment, {
    title: 'Update your internal note',
    addition: true,
    access: WriteTickets,
    body: z.object({ comment: input.longText() }),
    returns: item(CommentItem),
    load: async (ctx, { id, comment_id }) => {
      const ticket = await lockTicket(ctx, id);
      return { ticket, note: await lockComment(ctx, ticket, comment_id) };
    },
    handle: (ctx, { item: { ticket, note }, body }) =>
      showOne(ctx, CommentItem, changeNote(ctx, ticket, note, body.comment)),
  }),
  admin.delete(comment, {
    title: 'Delete your internal note',
    addition: true,
    access: WriteTickets,
    returns: nothing(),
    load: async (ctx, { id, comment_id }) => {
      const ticket = await lockTicket(ctx, id);
      return { ticket, note: await lockComment(ctx, ticket, comment_id) };
    },
    handle: (ctx, { item: { ticket, note } }) => deleteNote(ctx, ticket, note),
  }),
];
