import { day, flag, id, int, ref, table, text, when, type Row } from '@keelson/core';
import { Technician } from '@keelson/modules/directory';
import { Ticket } from '@keelson/modules/tickets';

/** A checklist item of a ticket; a task once it has an assignee or a due date. */
export const TicketChecklistItem = table(
  'ticket_checklist_item',
  {
    item_id: id(),
    ticket_id: ref(Ticket),
    position: int(),
    title: text(255),
    /** Whether it must be done before the ticket can be closed. */
    required: flag().default(false),
    /** The assigned technician. */
    assigned_to: ref(Technician).nullable(),
    due_date: day().nullable(),
    done_at: when().nullable(),
    /** The name of the person or API key that completed it; empty while open. */
    done_by: text(255).default(''),
    created_at: when(),
  },
  [
    ['ticket_id', 'position', 'item_id'],
    ['assigned_to', 'done_at', 'due_date', 'item_id'],
  ],
);
export type TicketChecklistItem = Row<typeof TicketChecklistItem>;
