// What other modules write together with a ticket.
import { hook } from '@keelson/core/plugin';
import type { Side, Ticket } from './entities.ts';

export interface TicketWrite {
  /** Undefined for a new ticket. */
  readonly before: Ticket | undefined;
  /** Undefined for a deleted ticket. */
  readonly after: Ticket | undefined;
  /** The side that has commented publicly. */
  readonly commented: Side | undefined;
}

/** Runs in the transaction that creates, changes or deletes tickets, or adds a public comment to one. */
export const TicketsWritten = hook<readonly TicketWrite[]>('tickets.written');
