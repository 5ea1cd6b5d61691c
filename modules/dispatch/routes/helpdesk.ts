import {
  all,
  helpdesk,
  input,
  lock,
  notFound,
  signedIn,
  unlessFound,
  z,
  type Context,
  type EmployeeActor,
} from '@keelson/core';
import { findVisibleTicket, lockVisibleTicket, type Ticket } from '@keelson/modules/tickets';
import { answerAppointment, Appointments } from '../appointments/appointments.ts';
import { listPortalAppointments, PortalAppointment } from '../appointments/portal.ts';

export default [
  helpdesk.get('/tickets/{id}/appointments', {
    title: 'List the appointments of a ticket',
    addition: true,
    access: signedIn,
    returns: all(PortalAppointment, 'appointments'),
    load: (ctx, { id }) => findVisibleTicket(ctx, id),
    handle: (ctx, { item: ticket }) => listPortalAppointments(ctx, ticket),
  }),
  helpdesk.put('/tickets/{id}/appointments/{appointment_id}', {
    title: 'Confirm or decline an appointment',
    addition: true,
    access: signedIn,
    body: z.object({ confirmation: input.choice(['confirmed', 'declined']) }),
    returns: all(PortalAppointment, 'appointments'),
    load: async (ctx, { id, appointment_id }) => {
      const ticket = await lockVisibleTicket(ctx, id, 'changed');
      return { ticket, appointment: await lockAsked(ctx, ticket, appointment_id) };
    },
    handle: async (ctx, { item: { ticket, appointment }, body: { confirmation } }) => {
      await answerAppointment(ctx, appointment, confirmation);
      return listPortalAppointments(ctx, ticket);
    },
  }),
];

/** Locks a coming appointment of the ticket whose contact is asked to confirm. @throws notFound() */
async function lockAsked(ctx: Context<EmployeeActor>, { ticket_id }: Ticket, appointment_id: number) {
  const found = await lock(ctx, Appointments, appointment_id).catch(unlessFound);
  // The same error for an appointment of another ticket, for an absent one and for an absent ticket.
  if (found?.ticket_id !== ticket_id || found.employee_number === null || found.ends_at <= ctx.now)
    throw notFound('Ticket');
  return found;
}
