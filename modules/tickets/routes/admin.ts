import {
  admin,
  all,
  anyCredential,
  created,
  file,
  input,
  item,
  list,
  nothing,
  pageOf,
  param,
  showOne,
  z,
  type Access,
  type Admin,
  type Context,
} from '@keelson/core';
import { BulkPreview, previewTickets } from '../bulk/bulk-preview.ts';
import { changeTickets, technicianActions } from '../bulk/bulk.ts';
import { commentOnTicket } from '../comments/comments.ts';
import { replyFields, replyToTicket } from '../comments/reply.ts';
import { DeleteTickets, ReadTickets, WriteTickets } from '../permissions.ts';
import { createTicket } from '../ticket/create.ts';
import { readTicketDetail, TicketDetail } from '../ticket/detail.ts';
import { exportTickets } from '../ticket/export.ts';
import { newTicketFields, priorityField, statusField, ticketChanges } from '../ticket/inputs.ts';
import { listJobTypes } from '../ticket/job-types.ts';
import {
  BriefTicket,
  CommentItem,
  NewComment,
  QueuedTicket,
  TicketItem,
  TicketRow,
  TimeEntryItem,
} from '../ticket/list.ts';
import { BulkResult, JobTypeShape, TicketReceipt } from '../ticket/shapes.ts';
import { tagField } from '../ticket/tags.ts';
import { findTicket, lockTicket } from '../ticket/tickets.ts';
import { deleteTicket, updateTicket } from '../ticket/update.ts';
import { changeTimeEntry, correctTimeEntry, lockTimeEntry, logTime, removeTimeEntry } from '../time-entries.ts';
import one from './admin/one.ts';
import queue from './admin/queue.ts';
import techStatus from './admin/tech-status.ts';

// Only the helpdesk surface documents the asset filter.
const { asset_id: _, ...listed } = TicketItem.query;
/** The required permission depends on the action (Z-46), so it is checked again with the body. */
const writeOrDelete: Access<Admin> = Object.freeze({
  title: 'tickets:write (delete: tickets:delete)',
  allows: (actor: Admin) => WriteTickets.allows(actor) || DeleteTickets.allows(actor),
});

const bulkFields = z.object({
  action: input.choice(technicianActions),
  ticket_ids: input.ids(),
  assigned_to: input.optional(input.id()),
  priority: input.optional(priorityField),
  status: input.optional(statusField),
  tag: input.optional(tagField),
  comment: input.optionalLongText(),
});

const timeFields = {
  duration_minutes: input.int(1, 1440),
  description: input.optionalLongText(),
  billable: input.optional(input.flag()),
  work_date: input.optional(input.day()),
};

export default [
  ...techStatus,
  ...queue,
  ...one,
  admin.get('/tickets.php', {
    title: 'List tickets',
    access: ReadTickets,
    query: admin.paging({ ...listed, brief: param.flag() }),
    returns: list(TicketRow),
    handle: (ctx, { query: { brief, ...query } }) => pageOf(ctx, brief ? BriefTicket : QueuedTicket, query),
  }),
  admin.post('/tickets.php', {
    title: 'Create a ticket for a company',
    access: WriteTickets,
    body: z.object({
      ...newTicketFields,
      watchers: input.optional(input.ids({ max: 20 })),
      technician_watchers: input.optional(input.ids({ max: 20 })),
      /** Adds the checklist of the template. The other fields are those of the request. */
      template_id: input.optional(input.id()),
    }),
    returns: created(TicketReceipt),
    handle: (ctx, { body }) => createTicket(ctx, body),
  }),
  admin.get('/tickets.php?id={id}', {
    title: 'Read a ticket in full',
    access: ReadTickets,
    returns: item(TicketDetail),
    load: (ctx, { id }) => findTicket(ctx, id),
    handle: (ctx, { item: ticket }) => readTicketDetail(ctx, ticket),
  }),
  admin.put('/tickets.php?id={id}', {
    title: 'Update any ticket',
    access: WriteTickets,
    body: ticketChanges,
    returns: item(TicketDetail),
    load: (ctx, { id }) => lockTicket(ctx, id),
    handle: async (ctx, { item: ticket, body }) => readTicketDetail(ctx, await updateTicket(ctx, ticket, body)),
  }),
  admin.delete('/tickets.php?id={id}', {
    title: 'Delete a ticket',
    access: DeleteTickets,
    returns: nothing(),
    load: (ctx, { id }) => lockTicket(ctx, id),
    handle: (ctx, { item: ticket }) => deleteTicket(ctx, ticket),
  }),
  admin.get('/tickets.php?action=comments&id={id}', {
    title: 'List a ticket’s comments',
    access: ReadTickets,
    query: admin.paging({}, { whole: true }),
    returns: list(CommentItem),
    load: (ctx, { id }) => findTicket(ctx, id),
    handle: (ctx, { item: { ticket_id }, query }) => pageOf(ctx, CommentItem, { ...query, ticket_id }),
  }),
  admin.post('/tickets.php?action=comments&id={id}', {
    title: 'Comment on any ticket',
    access: WriteTickets,
    body: z.object({ comment: input.longText(), is_internal: input.optional(input.flag()) }),
    returns: created(NewComment),
    load: (ctx, { id }) => lockTicket(ctx, id),
    handle: (ctx, { item: ticket, body: { comment, is_internal = false } }) =>
      showOne(ctx, NewComment, commentOnTicket(ctx, ticket, { comment, is_internal })),
  }),
  admin.post('/tickets.php?action=reply&id={id}', {
    title: 'Reply to a ticket in one request',
    operationId: 'replyToTicket',
    addition: true,
    access: WriteTickets,
    body: replyFields,
    returns: item(TicketDetail),
    load: (ctx, { id }) => lockTicket(ctx, id),
    handle: async (ctx, { item: ticket, body }) => readTicketDetail(ctx, await replyToTicket(ctx, ticket, body)),
  }),
  admin.get('/tickets.php?action=time-entries&id={id}', {
    title: 'List a ticket’s time entries',
    access: ReadTickets,
    query: admin.paging({}, { whole: true }),
    returns: list(TimeEntryItem),
    load: (ctx, { id }) => findTicket(ctx, id),
    handle: (ctx, { item: { ticket_id }, query }) => pageOf(ctx, TimeEntryItem, { ...query, ticket_id }),
  }),
  admin.post('/tickets.php?action=time-entries&id={id}', {
    title: 'Log time on a ticket',
    access: WriteTickets,
    body: z.object(timeFields),
    returns: created(TimeEntryItem),
    load: (ctx, { id }) => findTicket(ctx, id),
    handle: (ctx, { item: ticket, body }) => showOne(ctx, TimeEntryItem, logTime(ctx, ticket, body)),
  }),
  admin.put('/tickets.php?action=time-entries&id={id}&time_entry_id={time_entry_id}', {
    title: 'Update an unbilled time entry',
    addition: true,
    access: WriteTickets,
    body: input.changes(timeFields),
    returns: item(TimeEntryItem),
    load: (ctx, { id, time_entry_id }) => lockTicketsTime(ctx, id, time_entry_id),
    handle: (ctx, { item: { ticket, entry }, body }) =>
      showOne(ctx, TimeEntryItem, changeTimeEntry(ctx, ticket, entry, body)),
  }),
  admin.delete('/tickets.php?action=time-entries&id={id}&time_entry_id={time_entry_id}', {
    title: 'Delete an unbilled time entry',
    addition: true,
    access: WriteTickets,
    returns: nothing(),
    load: (ctx, { id, time_entry_id }) => lockTicketsTime(ctx, id, time_entry_id),
    handle: (ctx, { item: { ticket, entry } }) => removeTimeEntry(ctx, ticket, entry),
  }),
  admin.post('/tickets.php?action=time-corrections&id={id}&time_entry_id={time_entry_id}', {
    title: 'Correct a billed time entry',
    addition: true,
    access: WriteTickets,
    body: z.object({ duration_minutes: input.int(0, 1440), description: timeFields.description }),
    returns: created(TimeEntryItem),
    load: (ctx, { id, time_entry_id }) => lockTicketsTime(ctx, id, time_entry_id),
    handle: (ctx, { item: { ticket, entry }, body }) =>
      showOne(ctx, TimeEntryItem, correctTimeEntry(ctx, ticket, entry, body)),
  }),
  admin.get('/tickets.php?action=export', {
    title: 'Export all tickets',
    access: ReadTickets,
    query: z.object({
      format: param.choice(['csv', 'pdf']),
      status: listed.status,
      date_from: listed.created_after,
      date_to: listed.created_before,
    }),
    returns: file('text/csv', 'application/pdf'),
    handle: (ctx, { query: { date_from, date_to, ...query } }) =>
      exportTickets(ctx, { ...query, created_after: date_from, created_before: date_to }),
  }),
  admin.get('/job-types.php', {
    title: 'List all ticket categories',
    access: anyCredential,
    returns: all(JobTypeShape),
    handle: (ctx) => listJobTypes(ctx),
  }),
  admin.post('/bulk/tickets.php', {
    title: 'Bulk-update tickets',
    operationId: 'bulkUpdateTickets',
    access: writeOrDelete,
    freeAction: true,
    body: bulkFields,
    returns: item(BulkResult),
    handle: (ctx, { body }) => changeTickets(ctx, body),
  }),
  admin.post('/bulk/tickets-preview.php', {
    title: 'See what would change on many tickets',
    operationId: 'previewBulkUpdateTickets',
    addition: true,
    // Changes no data.
    unlogged: true,
    access: writeOrDelete,
    body: bulkFields,
    returns: item(BulkPreview),
    handle: (ctx, { body }) => previewTickets(ctx, body),
  }),
];

async function lockTicketsTime(ctx: Context<Admin>, id: number, time_entry_id: number) {
  const ticket = await lockTicket(ctx, id);
  return { ticket, entry: await lockTimeEntry(ctx, ticket, time_entry_id) };
}
