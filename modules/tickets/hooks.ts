// Hooks for data that other modules write together with a ticket.
import { hook } from '@keelson/core/plugin';
import type { Side, Ticket } from './entities.ts';

export interface TicketWrite {
  /** Undefined for a new ticket. */
  readonly before: Ticket | undefined;
  /** Undefined for a deleted ticket. */
  readonly after: Ticket | undefined;
  /** The side that has commented publicly. */
  readonly commented: Side | undefined;
  /** Whether other assets are linked to it. */
  readonly relinked?: boolean;
}

/** Runs in the transaction that creates, changes or deletes tickets, or adds a public comment to one. */
export const TicketsWritten = hook<readonly TicketWrite[]>('tickets.written');

export interface FromTemplate {
  readonly ticket: Ticket;
  readonly template_id: number;
}

/** Runs in the transaction that creates a ticket from a template, before the ticket's row is stored. */
export const TicketFromTemplate = hook<FromTemplate>('tickets.from_template');

export interface Merge {
  readonly from: Ticket;
  readonly into: Ticket;
}

/** Runs in the transaction that merges a ticket into another; both are locked. */
export const TicketsMerged = hook<Merge>('tickets.merged');

export interface Closing {
  readonly tickets: readonly Pick<Ticket, 'ticket_id'>[];
  /** Prevents closing a ticket; `why` is a sentence for the person who tries to close it. */
  readonly refuse: (ticket_id: number, why: string) => void;
}

/**
 * Runs before open tickets are closed, so that a module can prevent it. Skipped for tickets that are merged, or closed
 * by the rejection of an approval. Handlers must only read.
 */
export const TicketsClosing = hook<Closing>('tickets.closing');
