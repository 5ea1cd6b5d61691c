import { z } from '@keelson/core';
import { FullTicket } from './list.ts';

/** Ticket category (F-57). */
export const JobTypeShape = z.object({
  job_type_id: z.int(),
  name: z.string(),
  description: z.string(),
  requires_approval: z.boolean(),
  active: z.boolean(),
  sort_order: z.int(),
});

/** Response of a ticket action on the helpdesk surface (S-05). */
export const TicketState = FullTicket.shape.pick({
  ticket_id: true,
  ticket_number: true,
  status: true,
  approval_status: true,
});

export const TicketReceipt = TicketState.omit({ approval_status: true });
export const PortalReceipt = TicketReceipt.extend({ subject: z.string(), requires_approval: z.boolean() });

export const BulkResult = z.object({
  action: z.string(),
  requested: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  results: z.array(z.object({ ticket_id: z.int(), success: z.boolean(), error: z.string().optional() })),
});
export type BulkResult = z.infer<typeof BulkResult>;
