import { flag, id, int, ref, table, text, when, type Row } from '@keelson/core';
import { Ticket } from '@keelson/modules/tickets';

/** An item of a ticket's checklist. */
export const TicketChecklistItem = table(
  'ticket_checklist_item',
  {
    item_id: id(),
    ticket_id: ref(Ticket),
    position: int(),
    title: text(255),
    /** The ticket cannot be closed before it is done. */
    required: flag().default(false),
    done_at: when().nullable(),
    /** The name of the person or API key that completed it; empty while open. */
    done_by: text(255).default(''),
    created_at: when(),
  },
  [['ticket_id', 'position', 'item_id']],
);
export type TicketChecklistItem = Row<typeof TicketChecklistItem>;
