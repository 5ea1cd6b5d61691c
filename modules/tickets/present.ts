// From rows to what the two surfaces show.
import type { forPortal, forStaff, TicketNames } from './names.ts';
import type { ListedTicket } from './list.ts';
import type { PortalTicket, TicketItem } from './shapes.ts';

/** A ticket as technicians and events see it. */
export function toTicketItem(ticket: ListedTicket, names: Pick<TicketNames, (typeof forStaff)[number]>): TicketItem {
  return {
    ticket_id: ticket.ticket_id,
    ticket_number: ticket.ticket_number,
    subject: ticket.subject,
    description: ticket.description,
    status: ticket.status,
    priority: ticket.priority,
    job_type: ticket.job_type,
    company_number: ticket.company_number,
    site_number: ticket.site_number,
    company_name: names.company_name,
    site_name: names.site_name,
    assigned_to: ticket.assigned_to,
    assigned_name: names.assigned_name,
    approval_status: ticket.approval_status,
    created_at: ticket.created_at,
    updated_at: ticket.updated_at,
    closed_at: ticket.closed_at,
  };
}

/** A ticket as the customer's people see it. */
export function toPortalTicket(
  ticket: ListedTicket,
  names: Pick<TicketNames, (typeof forPortal)[number]>,
): PortalTicket {
  return {
    ticket_id: ticket.ticket_id,
    ticket_number: ticket.ticket_number,
    subject: ticket.subject,
    description: ticket.description,
    status: ticket.status,
    priority: ticket.priority,
    job_type: ticket.job_type,
    assigned_tech: ticket.assigned_to,
    assigned_tech_name: names.assigned_name,
    requester_name: names.requester_name,
    approval_status: ticket.approval_status,
    requires_approval: ticket.approval_status === 'pending',
    created_at: ticket.created_at,
    updated_at: ticket.updated_at,
    closed_at: ticket.closed_at,
  };
}
