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
import { findChangeableTicket, findVisibleTicket, lockVisibleTicket, type Ticket } from '@keelson/modules/tickets';
import { answerAppointment, Appointments } from '../appointments/appointments.ts';
import { Appointment } from '../appointments/entities.ts';
import { FreeTime, readFreeTimes } from '../appointments/free-times.ts';
import { moveByCustomer } from '../appointments/move.ts';
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
    load: loadAsked,
    handle: async (ctx, { item: { ticket, appointment }, body: { confirmation } }) => {
      await answerAppointment(ctx, appointment, confirmation);
      return listPortalAppointments(ctx, ticket);
    },
  }),
  helpdesk.get('/tickets/{id}/appointments/{appointment_id}/times', {
    title: 'List free times for an appointment',
    addition: true,
    access: signedIn,
    returns: all(FreeTime, 'times'),
    load: async (ctx, { id, appointment_id }) => findAsked(ctx, await findChangeableTicket(ctx, id), appointment_id),
    handle: (ctx, { item: appointment }) => readFreeTimes(ctx, appointment),
  }),
  helpdesk.post('/tickets/{id}/appointments/{appointment_id}/move', {
    title: 'Move an appointment to a free time',
    addition: true,
    access: signedIn,
    body: z.object({ starts_at: input.timestamp() }),
    returns: all(PortalAppointment, 'appointments'),
    load: loadAsked,
    handle: async (ctx, { item: { ticket, appointment }, body: { starts_at } }) => {
      await moveByCustomer(ctx, appointment, starts_at);
      return listPortalAppointments(ctx, ticket);
    },
  }),
];

async function loadAsked(
  ctx: Context<EmployeeActor>,
  { id, appointment_id }: { readonly id: number; readonly appointment_id: number },
) {
  const ticket = await lockVisibleTicket(ctx, id, 'changed');
  return { ticket, appointment: await lockAsked(ctx, ticket, appointment_id) };
}

/** As `lockAsked`, without the lock. @throws notFound() */
async function findAsked(ctx: Context<EmployeeActor>, ticket: Ticket, appointment_id: number) {
  return asked(ctx, ticket, (await ctx.db.findOneBy(Appointment, { appointment_id })) ?? undefined);
}

/**
 * Locks an upcoming appointment of the ticket that awaits confirmation.
 * @throws notFound()
 */
async function lockAsked(ctx: Context<EmployeeActor>, ticket: Ticket, appointment_id: number) {
  return asked(ctx, ticket, await lock(ctx, Appointments, appointment_id).catch(unlessFound));
}

function asked({ now }: Context, { ticket_id }: Ticket, found: Appointment | undefined): Appointment {
  // The same error whether the appointment belongs to another ticket, does not exist, or the ticket does not exist.
  if (found?.ticket_id !== ticket_id || found.employee_number === null || found.ends_at <= now)
    throw notFound('Ticket');
  return found;
}
