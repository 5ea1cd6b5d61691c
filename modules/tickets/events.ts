import { event, eventData, findOr404, z, type EventRecord } from '@keelson/core';
import { TicketItem, TicketNoun } from './ticket/list.ts';

const record: EventRecord<TicketItem> = {
  type: 'ticket',
  read: async (ctx, id) => eventData(ctx, TicketItem, await findOr404(ctx, TicketNoun, id)),
};
const ofTicket = { webhook: 'admin', record } as const;

export const TicketCreated = event('ticket.created', TicketItem.shape, ofTicket);
export const TicketUpdated = event('ticket.updated', TicketItem.shape, ofTicket);
export const TicketClosed = event('ticket.closed', TicketItem.shape, ofTicket);
/** Emitted when a technician is assigned, on creation or later (EV-18). */
export const TicketAssigned = event('ticket.assigned', TicketItem.shape, ofTicket);

/** Emitted when the provider comments publicly on a ticket that came from a chat. */
export const TicketCommented = event('tickets.commented', z.object({ ticket_id: z.int() }));

const said = { ticket_id: z.int(), comment_id: z.int(), author_name: z.string() };

/** Emitted when an internal note mentions technicians. */
export const TicketMentioned = event('ticket.mentioned', z.object({ ...said, user_ids: z.array(z.int()) }));

/** Emitted when the customer comments on an assigned ticket; `user_id` is the assignee. */
export const TicketAnswered = event('ticket.answered', z.object({ ...said, user_id: z.int() }));

/** Emitted when someone else assigns a ticket to `user_id` or decides on one of theirs. */
export const TicketConcern = event(
  'tickets.concern',
  z.object({
    kind: z.enum(['assigned', 'decided', 'task', 'appointment_moved', 'appointment_declined']),
    ticket_id: z.int(),
    user_id: z.int(),
    author_name: z.string(),
  }),
);

/** Emitted for each technician who watches a ticket: someone replied, added an internal note or changed the status. */
export const TicketFollowed = event(
  'tickets.followed',
  z.object({
    kind: z.enum(['replied', 'noted', 'moved']),
    ticket_id: z.int(),
    user_id: z.int(),
    author_name: z.string(),
  }),
);

/** Emitted when a mail about a ticket is due (notices.ts). */
export const TicketNotice = event(
  'tickets.notice',
  z.object({
    kind: z.enum(['created', 'closed', 'commented', 'watched', 'approval']),
    ticket_id: z.int(),
    /** Mail recipient; defaults to the ticket's requester. */
    requester: z.int().optional(),
    /** Whether the recipient is a watcher, which they must still be. */
    watcher: z.boolean().optional(),
    author_name: z.string(),
    /** Whether a technician wrote it rather than a program. */
    personal: z.boolean().default(false),
    comment: z.string(),
    /** The comment, if its files were attached after it. */
    comment_id: z.int().optional(),
  }),
);

export default [
  TicketCreated,
  TicketUpdated,
  TicketClosed,
  TicketAssigned,
  TicketAnswered,
  TicketMentioned,
  TicketConcern,
  TicketCommented,
  TicketFollowed,
  TicketNotice,
];
