import { z } from '@keelson/core';
import { approvals, sources, statuses } from './entities.ts';

const moment = z.iso.datetime();

/** A ticket as technicians see it in lists and events carry it (EV-13, M-04). */
export const TicketItem = z.object({
  ticket_id: z.int(),
  ticket_number: z.int(),
  subject: z.string(),
  description: z.string(),
  status: z.enum(statuses),
  priority: z.int(),
  job_type: z.string(),
  company_number: z.int(),
  site_number: z.int().nullable(),
  company_name: z.string(),
  site_name: z.string().nullable(),
  assigned_to: z.int().nullable(),
  assigned_name: z.string().nullable(),
  approval_status: z.enum(approvals),
  created_at: moment,
  updated_at: moment,
  closed_at: moment.nullable(),
});
export type TicketItem = z.infer<typeof TicketItem>;

export const CommentShape = z.object({
  comment_id: z.int(),
  comment: z.string(),
  author_name: z.string(),
  author_type: z.enum(['technician', 'employee', 'api', 'system', 'assistant']),
  is_internal: z.boolean(),
  created_at: moment,
});

export const TimeEntryShape = z.object({
  time_entry_id: z.int(),
  ticket_id: z.int(),
  user_id: z.int().nullable(),
  user_name: z.string(),
  duration_minutes: z.int(),
  description: z.string(),
  billable: z.boolean(),
  work_date: z.iso.date(),
  created_at: moment,
});

/** A ticket category (F-57). */
export const JobTypeShape = z.object({
  job_type_id: z.int(),
  name: z.string(),
  description: z.string(),
  requires_approval: z.boolean(),
  active: z.boolean(),
  sort_order: z.int(),
});

export const LinkedAsset = z.object({ asset_id: z.int(), machine_name: z.string() });
export type LinkedAsset = z.infer<typeof LinkedAsset>;

/** The short form of a contract (F-14). */
export const LinkedContract = z.object({
  contract_id: z.int(),
  name: z.string(),
  contract_type: z.string(),
  status: z.string(),
  start_date: z.iso.date().nullable(),
  end_date: z.iso.date().nullable(),
});
export type LinkedContract = z.infer<typeof LinkedContract>;

export const TicketDetail = TicketItem.extend({
  requester_employee_number: z.int().nullable(),
  requester_name: z.string().nullable(),
  requester_email: z.string().nullable(),
  source: z.enum(sources),
  comments: z.array(CommentShape),
  assets: z.array(LinkedAsset),
  time_entries: z.array(TimeEntryShape),
  contracts: z.array(LinkedContract),
  total_minutes: z.int(),
});

/** A ticket as the customer's people see it (F-25). */
export const PortalTicket = z.object({
  ticket_id: z.int(),
  ticket_number: z.int(),
  subject: z.string(),
  description: z.string(),
  status: z.enum(statuses),
  priority: z.int(),
  job_type: z.string(),
  assigned_tech: z.int().nullable(),
  assigned_tech_name: z.string().nullable(),
  requester_name: z.string().nullable(),
  approval_status: z.enum(approvals),
  requires_approval: z.boolean(),
  created_at: moment,
  updated_at: moment,
  closed_at: moment.nullable(),
});
export type PortalTicket = z.infer<typeof PortalTicket>;

export const PortalComment = CommentShape.omit({ author_type: true });

export const PortalTicketDetail = PortalTicket.extend({
  comments: z.array(PortalComment),
  asset: LinkedAsset.nullable(),
  contracts: z.array(LinkedContract),
});

/** What an action on a ticket answers on the helpdesk surface (S-05). */
export const TicketState = z.object({
  ticket_id: z.int(),
  ticket_number: z.int(),
  status: z.enum(statuses),
  approval_status: z.enum(approvals),
});

export const BulkResult = z.object({
  action: z.string(),
  requested: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  results: z.array(z.object({ ticket_id: z.int(), success: z.boolean(), error: z.string().optional() })),
});
export type BulkResult = z.infer<typeof BulkResult>;
