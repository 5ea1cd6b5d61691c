import { choice, day, id, key, ref, table, text, when, type Row } from '@keelson/core';
import { Company, Employee, Technician } from '@keelson/modules/directory';
import { Ticket } from '@keelson/modules/tickets';

export const scores = ['good', 'okay', 'bad'] as const;
export type Score = (typeof scores)[number];

/** A requester's rating of one closing of a ticket. */
export const TicketRating = table(
  'ticket_rating',
  {
    rating_id: id(),
    ticket_id: ref(Ticket),
    company_number: ref(Company),
    employee_number: ref(Employee),
    /** The assignee when the ticket was rated. */
    assigned_to: ref(Technician).nullable(),
    score: choice(...scores).titled('Rating'),
    comment: text().default(''),
    rated_at: when(),
    /** The day of `rated_at` in the tenant's time zone. */
    rated_on: day().hidden(),
    /** The ticket and the closing; each closing is rated at most once. */
    closing_key: key(64).unique().hidden(),
  },
  [
    ['rated_at', 'rating_id'],
    ['ticket_id', 'rated_at'],
    ['company_number', 'rated_at'],
    ['assigned_to', 'rated_at'],
    ['rated_on', 'assigned_to', 'company_number'],
  ],
);
export type TicketRating = Row<typeof TicketRating>;
