import { event, z } from '@keelson/core';
import { appointmentKinds } from './appointments/entities.ts';

const notices = ['asked', 'moved', 'agreed', 'reassigned', 'cancelled'] as const;
export type Notice = (typeof notices)[number];

/**
 * Emitted when a contact must be notified about an appointment. Carries its details, because a cancelled appointment no
 * longer exists.
 */
export const AppointmentNotice = event(
  'dispatch.appointment-notice',
  z.object({
    kind: z.enum(notices),
    appointment_id: z.int(),
    user_id: z.int(),
    ticket_id: z.int(),
    employee_number: z.int(),
    sequence: z.int(),
    starts_at: z.iso.datetime(),
    ends_at: z.iso.datetime(),
    type: z.enum(appointmentKinds),
    note: z.string(),
  }),
);

export default [AppointmentNotice];
