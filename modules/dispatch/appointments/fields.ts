// Body fields of appointments.
import { input, type z } from '@keelson/core';
import { appointmentKinds } from './entities.ts';

export const appointmentFields = {
  user_id: input.id().meta({ title: 'Technician' }),
  kind: input.optional(input.choice(appointmentKinds)),
  starts_at: input.timestamp(),
  ends_at: input.timestamp(),
  note: input.optionalText(255),
  /** The contact to invite, of the ticket's company; only for visits and calls. */
  employee_number: input.clearable(input.id()),
};
export const newAppointmentFields = { ticket_id: input.clearable(input.id()) };

type Fields = z.output<z.ZodObject<typeof appointmentFields>>;
export type AppointmentChanges = { readonly [K in keyof Fields]?: Fields[K] | undefined };
export type NewAppointment = Fields & { readonly ticket_id?: number | null | undefined };
