import { event, z } from '@keelson/core';
import { appointmentKinds } from './appointments/entities.ts';

/** Emitted when a contact must hear about an appointment. Carries its details, because a cancelled one no longer exists. */
export const AppointmentNotice = event(
  'dispatch.appointment-notice',
  z.object({
    kind: z.enum(['asked', 'moved', 'cancelled']),
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
