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
  param,
  z,
  type Access,
  type Admin,
} from '@keelson/core';
import { changeTickets, technicianActions } from '../bulk.ts';
import { commentOnTicket, listComments } from '../comments.ts';
import { createTicket } from '../create.ts';
import { readTicketDetail } from '../detail.ts';
import { statuses } from '../entities.ts';
import { exportTickets } from '../export.ts';
import { jobTypeField, listJobTypes, optionalJobTypeField } from '../job-types.ts';
import { listTickets } from '../list.ts';
import { DeleteTickets, ReadTickets, WriteTickets } from '../permissions.ts';
import { BulkResult, CommentShape, JobTypeShape, TicketDetail, TicketItem, TimeEntryShape } from '../shapes.ts';
import { findTicket, lockTicket } from '../tickets.ts';
import { listTimeEntries, logTime } from '../time-entries.ts';
import { deleteTicket, updateTicket } from '../update.ts';
import techStatus from './admin/tech-status.ts';

const sorts = [
  'created_at',
  'updated_at',
  'closed_at',
  'ticket_id',
  'ticket_number',
  'subject',
  'status',
  'priority',
  'job_type',
  'company_name',
  'assigned_to',
] as const;
const references = {
  site_number: input.clearable(input.id()),
  assigned_to: input.clearable(input.id()),
  employee_number: input.clearable(input.id()),
};
/** Which of the two a bulk request needs depends on its action (Z-46), so the body decides. */
const writeOrDelete: Access<Admin> = Object.freeze({
  title: 'tickets:write (delete: tickets:delete)',
  allows: (actor: Admin) => WriteTickets.allows(actor) || DeleteTickets.allows(actor),
});

export default [
  ...techStatus,
  admin.get('/tickets.php', {
    title: 'List tickets',
    access: ReadTickets,
    query: admin.paging({
      status: param.choice(statuses, { all: true }),
      priority: param.int(1, 5),
      company_number: param.id(),
      site_number: param.id(),
      assigned_to: param.id(),
      job_type: param.text(),
      search: param.search(),
      created_after: param.dayOrTime('from'),
      created_before: param.dayOrTime('to'),
      sort: param.sort(sorts, 'created_at'),
      order: param.order(),
    }),
    returns: list(TicketItem),
    handle: (ctx, { query }) => listTickets(ctx, query),
  }),
  admin.post('/tickets.php', {
    title: 'Create a ticket for a company',
    access: WriteTickets,
    body: z.object({
      subject: input.text(255),
      description: input.optionalLongText(),
      priority: input.optional(input.int(1, 5)),
      job_type: optionalJobTypeField,
      company_number: input.id(),
      ...references,
    }),
    returns: created(z.object({ ticket_id: z.int(), ticket_number: z.int(), status: z.enum(statuses) })),
    handle: (ctx, { body }) => createTicket(ctx, body),
  }),
  admin.get('/tickets.php?id={id}', {
    title: 'Read a ticket with all that belongs to it',
    access: ReadTickets,
    returns: item(TicketDetail),
    load: (ctx, { id }) => findTicket(ctx, id),
    handle: (ctx, { item: ticket }) => readTicketDetail(ctx, ticket),
  }),
  admin.put('/tickets.php?id={id}', {
    title: 'Update any ticket',
    access: WriteTickets,
    body: input.changes({
      subject: input.text(255),
      description: input.optionalLongText(),
      status: input.choice(statuses),
      priority: input.int(1, 5),
      job_type: jobTypeField,
      ...references,
    }),
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
    returns: list(CommentShape),
    load: (ctx, { id }) => findTicket(ctx, id),
    handle: (ctx, { item: ticket, query }) => listComments(ctx, ticket, query),
  }),
  admin.post('/tickets.php?action=comments&id={id}', {
    title: 'Comment on any ticket',
    access: WriteTickets,
    body: z.object({ comment: input.longText(), is_internal: input.optional(input.flag()) }),
    returns: created(CommentShape),
    load: (ctx, { id }) => lockTicket(ctx, id),
    handle: (ctx, { item: ticket, body: { comment, is_internal = false } }) =>
      commentOnTicket(ctx, ticket, { comment, is_internal }),
  }),
  admin.get('/tickets.php?action=time-entries&id={id}', {
    title: 'List a ticket’s time entries',
    access: ReadTickets,
    query: admin.paging({}, { whole: true }),
    returns: list(TimeEntryShape),
    load: (ctx, { id }) => findTicket(ctx, id),
    handle: (ctx, { item: ticket, query }) => listTimeEntries(ctx, ticket, query),
  }),
  admin.post('/tickets.php?action=time-entries&id={id}', {
    title: 'Log time on a ticket',
    access: WriteTickets,
    body: z.object({
      duration_minutes: input.int(1, 1440),
      description: input.optionalLongText(),
      billable: input.optional(input.flag()),
      work_date: input.optional(input.day()),
    }),
    returns: created(TimeEntryShape),
    load: (ctx, { id }) => findTicket(ctx, id),
    handle: (ctx, { item: ticket, body }) => logTime(ctx, ticket, body),
  }),
  admin.get('/tickets.php?action=export', {
    title: 'Export all tickets',
    access: ReadTickets,
    query: z.object({
      format: param.choice(['csv', 'pdf']),
      status: param.choice(statuses, { all: true }),
      date_from: param.dayOrTime('from'),
      date_to: param.dayOrTime('to'),
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
    title: 'Change many tickets',
    access: writeOrDelete,
    freeAction: true,
    body: z.object({
      action: input.choice(technicianActions),
      ticket_ids: input.ids(),
      assigned_to: input.optional(input.id()),
      priority: input.optional(input.int(1, 5)),
      status: input.optional(input.choice(statuses)),
      comment: input.optionalLongText(),
    }),
    returns: item(BulkResult),
    handle: (ctx, { body }) => changeTickets(ctx, body),
  }),
];
