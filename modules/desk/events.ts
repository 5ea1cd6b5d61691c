import { event, z } from '@keelson/core';

/** Emitted for each browser in which a technician's notification must be shown. */
export const NotificationDue = event(
  'desk.notification-due',
  z.object({ notification_id: z.int(), subscription_id: z.int() }),
);

/** Emitted for a new ticket without an assignee if a technician wants to be mailed about these. */
export const TicketUnassigned = event('desk.ticket-unassigned', z.object({ ticket_id: z.int() }));

export default [NotificationDue, TicketUnassigned];
