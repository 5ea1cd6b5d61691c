import {
  all,
  created,
  file,
  flat,
  helpdesk,
  input,
  item,
  list,
  manager,
  nothing,
  pageOf,
  param,
  showOne,
  signedIn,
  ticketCreator,
  z,
} from '@keelson/core';
import { approveTicket, countPending, pendingTickets, rejectTicket } from '../approvals/approval.ts';
import { changeVisibleTickets, customerActions } from '../bulk/bulk.ts';
import { commentOnTicket } from '../comments/comments.ts';
import { addColleague, removeColleague } from '../people/watchers.ts';
import { assetField } from '../related/links.ts';
import { createTicket } from '../ticket/create.ts';
import { updateVisibleTicket, visibleAssets } from '../ticket/customer-update.ts';
import { PortalTicketDetail, readPortalDetail } from '../ticket/detail.ts';
import { exportVisibleTickets } from '../ticket/export.ts';
import { priorityField, statusField } from '../ticket/inputs.ts';
import { jobTypeField, listActiveJobTypes, optionalJobTypeField } from '../ticket/job-types.ts';
import { NewPortalComment, PortalTicket } from '../ticket/list.ts';
import { BulkResult, JobTypeShape, PortalReceipt, TicketState } from '../ticket/shapes.ts';
import { findVisibleTicket, lockVisibleTicket } from '../ticket/tickets.ts';
import { visibleTickets } from '../ticket/visible.ts';

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
  'assigned_tech',
] as const;
const { status, priority, job_type, search, asset_id, created_after, created_before, order } = PortalTicket.query;
// Ticket lists use `limit`; all others use `per_page` (N-03).
const size = 'limit';
const fields = { subject: input.text(255), priority: priorityField, job_type: jobTypeField };

export default [
  helpdesk.get('/tickets', {
    title: 'List your tickets',
    access: signedIn,
    query: helpdesk.paging({ status }, { size }),
    returns: list(PortalTicket, 'tickets'),
    handle: (ctx, { query }) => pageOf(ctx, PortalTicket, query, { where: visibleTickets(ctx, 'mine') }),
  }),
  helpdesk.post('/tickets', {
    title: 'Create a ticket',
    access: ticketCreator,
    body: z.object({
      ...fields,
      description: input.longText(),
      priority: input.optional(priorityField),
      job_type: optionalJobTypeField,
      ...assetField,
      watchers: input.optional(input.ids({ max: 20 })),
    }),
    returns: created(PortalReceipt),
    handle: async (ctx, { body }) => {
      const { company_number, employee_number, site_number: usual_site_number } = ctx.actor;
      const asset_ids = visibleAssets(ctx, body.asset_id);
      const from = { company_number, employee_number, usual_site_number };
      const ticket = await createTicket(ctx, { ...body, ...from, asset_ids: asset_ids && [...asset_ids] });
      return { ...ticket, requires_approval: ticket.approval_status === 'pending' };
    },
  }),
  helpdesk.get('/tickets/pending-approval', {
    title: 'List tickets pending your approval',
    access: manager,
    query: helpdesk.paging({}, { size, whole: true }),
    returns: list(PortalTicket, 'tickets'),
    handle: (ctx, { query }) => pageOf(ctx, PortalTicket, { ...query, order: 'asc' }, { where: pendingTickets(ctx) }),
  }),
  helpdesk.get('/tickets/approval-count', {
    title: 'Count tickets pending your approval',
    access: signedIn,
    returns: flat(z.object({ is_manager: z.boolean(), pending_count: z.int() })),
    handle: (ctx) => countPending(ctx),
  }),
  helpdesk.get('/tickets/team', {
    title: 'List your team’s tickets',
    access: manager,
    query: helpdesk.paging({ status }, { size, whole: true }),
    returns: list(PortalTicket, 'tickets'),
    handle: (ctx, { query }) => pageOf(ctx, PortalTicket, query, { where: visibleTickets(ctx, 'team') }),
  }),
  helpdesk.get('/tickets/search', {
    title: 'Search tickets',
    access: signedIn,
    query: helpdesk.paging(
      {
        status,
        priority,
        job_type,
        q: search,
        assigned_tech: param.id(),
        asset_id,
        created_after,
        created_before,
        watched: param.flag(),
        sort: param.sort(sorts, 'created_at'),
        order,
      },
      { size },
    ),
    returns: list(PortalTicket, 'tickets'),
    handle: (ctx, { query: { q, assigned_tech, sort, watched, ...query } }) => {
      const sortedBy = sort === 'assigned_tech' ? 'assigned_to' : sort;
      const asked = { ...query, search: q, assigned_to: assigned_tech, sort: sortedBy };
      return pageOf(ctx, PortalTicket, asked, { where: visibleTickets(ctx, watched ? 'watched' : 'seen') });
    },
  }),
  helpdesk.post('/tickets/bulk', {
    title: 'Update several tickets',
    operationId: 'bulkUpdateTickets',
    access: signedIn,
    body: z.object({
      action: input.choice(customerActions),
      ticket_ids: input.ids(),
      status: input.optional(statusField),
      priority: input.optional(priorityField),
      comment: input.optionalLongText(),
    }),
    returns: flat(BulkResult.extend({ success: z.literal(true) })),
    handle: async (ctx, { body }) => ({ success: true as const, ...(await changeVisibleTickets(ctx, body)) }),
  }),
  helpdesk.get('/tickets/export', {
    title: 'Export tickets',
    access: signedIn,
    query: z.object({
      status,
      priority,
      job_type,
      format: param.choice(['csv', 'pdf']),
      date_from: created_after,
      date_to: created_before,
    }),
    returns: file('text/csv', 'application/pdf'),
    handle: (ctx, { query: { date_from, date_to, ...query } }) =>
      exportVisibleTickets(ctx, { ...query, created_after: date_from, created_before: date_to }),
  }),
  helpdesk.get('/tickets/{id}', {
    title: 'Read a ticket',
    access: signedIn,
    returns: item(PortalTicketDetail),
    load: (ctx, { id }) => findVisibleTicket(ctx, id),
    handle: (ctx, { item: ticket }) => readPortalDetail(ctx, ticket),
  }),
  helpdesk.put('/tickets/{id}', {
    title: 'Update a ticket',
    access: signedIn,
    body: input.changes({ ...fields, ...assetField, status: statusField }),
    returns: item(PortalTicket),
    load: (ctx, { id }) => lockVisibleTicket(ctx, id, 'changed'),
    handle: (ctx, { item: ticket, body }) => showOne(ctx, PortalTicket, updateVisibleTicket(ctx, ticket, body)),
  }),
  helpdesk.post('/tickets/{id}/comments', {
    title: 'Comment on a ticket',
    access: signedIn,
    body: z.object({ comment: input.longText() }),
    returns: created(NewPortalComment),
    load: (ctx, { id }) => lockVisibleTicket(ctx, id),
    handle: (ctx, { item: ticket, body }) =>
      showOne(ctx, NewPortalComment, commentOnTicket(ctx, ticket, { comment: body.comment, is_internal: false })),
  }),
  helpdesk.post('/tickets/{id}/watchers', {
    title: 'Add a colleague as a watcher of a ticket',
    operationId: 'addTicketWatcher',
    addition: true,
    access: signedIn,
    body: z.object({ employee_number: input.id() }),
    returns: item(PortalTicketDetail),
    load: (ctx, { id }) => lockVisibleTicket(ctx, id),
    handle: async (ctx, { item: ticket, body }) => {
      await addColleague(ctx, ticket, body.employee_number);
      return readPortalDetail(ctx, ticket);
    },
  }),
  helpdesk.delete('/tickets/{id}/watchers/{watcher_id}', {
    title: 'Remove a watcher of a ticket',
    addition: true,
    access: signedIn,
    returns: nothing(),
    load: (ctx, { id }) => lockVisibleTicket(ctx, id),
    handle: (ctx, { item: ticket, params }) => removeColleague(ctx, ticket, params.watcher_id),
  }),
  helpdesk.post('/tickets/{id}/approve', {
    title: 'Approve a ticket',
    access: manager,
    returns: item(TicketState),
    load: (ctx, { id }) => lockVisibleTicket(ctx, id, 'decided'),
    handle: (ctx, { item: ticket }) => approveTicket(ctx, ticket),
  }),
  helpdesk.post('/tickets/{id}/reject', {
    title: 'Reject a ticket',
    access: manager,
    body: z.object({ reason: input.longText() }),
    returns: item(TicketState),
    load: (ctx, { id }) => lockVisibleTicket(ctx, id, 'decided'),
    handle: (ctx, { item: ticket, body }) => rejectTicket(ctx, ticket, body.reason),
  }),
  helpdesk.get('/job-types', {
    title: 'List the ticket categories',
    access: signedIn,
    returns: all(JobTypeShape, 'job_types'),
    handle: (ctx) => listActiveJobTypes(ctx),
  }),
];
