// Technicians' appointments, and the notices that customers get about them.
import {
  announceChange,
  by,
  change,
  create,
  invalid,
  IsNull,
  param,
  record,
  remove,
  secondsBetween,
  sql,
  toDatabase,
  view,
  z,
  type Context,
} from '@keelson/core';
import { Employee, EmployeeNames, Technician, TechnicianNames } from '@keelson/modules/directory';
import { Ticket, TicketConcern } from '@keelson/modules/tickets';
import { AppointmentNotice, type Notice } from '../events.ts';
import { Appointment } from './entities.ts';
import type { AppointmentChanges, NewAppointment } from './fields.ts';
import { readTicketNames } from './ticket-names.ts';

/** Maximum length; the board looks this far back for appointments that have begun. */
export const MOST_DAYS = 7;
const MOST_SECONDS = MOST_DAYS * 86_400;

export const Appointments = record(Appointment, {
  title: 'Appointment',
  call: ({ appointment_id }) => appointment_id,
  filters: (its) => ({
    user_id: its.is('user_id'),
    ticket_id: its.is('ticket_id'),
    from: its.by(param.dayOrTime('from'), (_ctx, at) => sql`appointment.ends_at > ${toDatabase(at)}`),
    until: its.by(param.dayOrTime('to'), (_ctx, at) => sql`appointment.starts_at <= ${toDatabase(at)}`),
  }),
  sorts: { starts_at: by('starts_at') },
  order: 'asc',
  log: {
    omit: ['sequence', 'customer_moves'],
    names: { user_id: TechnicianNames },
    describe: (action, _row, nameOf) => `Appointment of ${nameOf('user_id')} ${action}d`,
  },
  unchanged: ['confirmation'],
});

export const AppointmentItem = view(Appointments, {
  except: ['sequence', 'customer_moves'],
  more: (its) => ({
    technician_name: its.name(TechnicianNames, 'user_id'),
    contact_name: its.name(EmployeeNames, 'employee_number'),
    ticket_number: its.lookup(z.int().nullable(), 'ticket_id', readTicketNames, null, (of) => of.ticket_number),
    ticket_subject: its.lookup(z.string().nullable(), 'ticket_id', readTicketNames, null, (of) => of.subject),
  }),
});

/** Creates an appointment for a technician and invites the contact, if any. @throws invalid() naming the field */
export async function planAppointment(ctx: Context, given: NewAppointment): Promise<Appointment> {
  const { kind = 'work', ticket_id = null, employee_number = null } = given;
  const whole = { ...given, kind, ticket_id, employee_number };
  await check(ctx, whole, undefined);
  const made = await create(ctx, Appointments, {
    ...whole,
    confirmation: employee_number === null ? 'none' : 'asked',
  });
  tell(ctx, made, 'asked');
  await follow(ctx, made, `${titles[kind]} planned`);
  return made;
}

/** Changes an appointment. A new time, kind or contact must be confirmed again. @throws invalid() naming the field */
export async function changeAppointment(
  ctx: Context,
  before: Appointment,
  wanted: AppointmentChanges,
): Promise<Appointment> {
  const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
  const whole: Appointment = { ...before, ...given };
  await check(ctx, whole, before);
  const fields = ['starts_at', 'ends_at', 'kind', 'employee_number'] as const;
  const moved = fields.some((field) => whole[field] !== before[field]);
  const anew = moved && {
    sequence: before.sequence + 1,
    confirmation: whole.employee_number === null ? ('none' as const) : ('asked' as const),
  };
  const after = await change(ctx, Appointments, before, { ...given, ...anew });
  if (!moved) {
    if (before.user_id === after.user_id) return after;
    if (after.confirmation !== 'declined') tell(ctx, after, 'reassigned');
    await follow(ctx, after, `${titles[after.kind]} reassigned`);
    return after;
  }
  // What was still to come and is recorded as past will not take place any more.
  const isOff = before.starts_at > ctx.now && after.ends_at <= ctx.now;
  if (isOff || before.employee_number !== after.employee_number) tell(ctx, before, 'cancelled');
  tell(ctx, after, before.employee_number === after.employee_number ? 'moved' : 'asked');
  await follow(ctx, after, `${titles[after.kind]} moved`);
  return after;
}

/** Deletes an appointment and notifies the contact. */
export async function cancelAppointment(ctx: Context, appointment: Appointment): Promise<void> {
  await remove(ctx, Appointments, appointment);
  tell(ctx, appointment, 'cancelled');
  await follow(ctx, appointment, `${titles[appointment.kind]} cancelled`);
}

/** Stores the contact's answer. Nothing is written if it is the same. */
export async function answerAppointment(
  ctx: Context,
  appointment: Appointment,
  confirmation: 'confirmed' | 'declined',
): Promise<Appointment> {
  if (appointment.confirmation === confirmation) return appointment;
  const after = await change(ctx, Appointments, appointment, { confirmation });
  await follow(ctx, after, `${titles[after.kind]} ${confirmation}`);
  if (confirmation === 'declined') await tellStaff(ctx, after, 'appointment_declined');
  return after;
}

export const titles = { work: 'Work', visit: 'Visit', call: 'Call', travel: 'Travel' } as const;

type Checked = Pick<Appointment, 'user_id' | 'ticket_id' | 'kind' | 'starts_at' | 'ends_at' | 'employee_number'>;

async function check({ db, now }: Context, given: Checked, before: Appointment | undefined): Promise<void> {
  const { user_id, ticket_id, kind, starts_at, ends_at, employee_number } = given;
  const length = secondsBetween(starts_at, ends_at);
  if (length <= 0) throw invalid('ends_at must be after starts_at');
  if (length > MOST_SECONDS) throw invalid(`ends_at must be at most ${MOST_DAYS} days after starts_at`);
  const living = { active: true, deleted_at: IsNull() };
  if (user_id !== before?.user_id && !(await db.existsBy(Technician, { user_id, ...living })))
    throw invalid('user_id must be an active technician');
  const ticket = ticket_id === null ? null : await db.findOneBy(Ticket, { ticket_id });
  const isGone = ticket_id !== null && (!ticket || ticket.deleted_at !== null);
  if (isGone && !before) throw invalid('ticket_id must be an existing ticket');
  // The past appointments of a deleted ticket stay, and can be corrected (DI-13).
  if (isGone && ends_at > now) throw invalid('ends_at must not be in the future: the ticket was deleted');
  if (employee_number === null) return;
  if (!ticket || (kind !== 'visit' && kind !== 'call'))
    throw invalid('employee_number requires a visit or call for a ticket');
  const { company_number } = ticket;
  if (
    employee_number !== before?.employee_number &&
    !(await db.existsBy(Employee, { employee_number, company_number, status: 'Active', deleted_at: IsNull() }))
  )
    throw invalid('employee_number must be an active contact of the ticket’s company');
}

/** Notifies the contact, if there is one and the appointment is not over. */
export function tell(ctx: Context, appointment: Appointment, kind: Notice): void {
  const { employee_number, ticket_id } = appointment;
  // No need to notify anyone about a past appointment.
  if (employee_number === null || ticket_id === null || appointment.ends_at <= ctx.now) return;
  const { appointment_id, user_id, sequence, starts_at, ends_at, kind: type, note } = appointment;
  const said = { appointment_id, user_id, ticket_id, employee_number, sequence, starts_at, ends_at, type, note };
  ctx.emit(AppointmentNotice, { kind, ...said });
}

/** Notifies the technician of an appointment, and the assignee of its ticket, of what the contact did. */
export async function tellStaff(
  ctx: Context,
  { user_id, ticket_id }: Appointment,
  kind: 'appointment_moved' | 'appointment_declined',
): Promise<void> {
  const ticket = ticket_id === null ? null : await ctx.db.findOneBy(Ticket, { ticket_id });
  if (!ticket) return;
  for (const each of new Set([user_id, ticket.assigned_to ?? user_id]))
    ctx.emit(TicketConcern, {
      kind,
      ticket_id: ticket.ticket_id,
      user_id: each,
      author_name: ctx.author.name,
    });
}

/** Records a change in the history of the ticket and refreshes open pages. */
export async function follow(ctx: Context, { ticket_id }: Appointment, description: string): Promise<void> {
  const ticket = ticket_id === null ? null : await ctx.db.findOneBy(Ticket, { ticket_id });
  if (!ticket) return;
  const shownOn = { of: Ticket, row: ticket };
  ctx.record({ action: 'update', entity_type: Ticket.name, entity_id: ticket.ticket_id, description, shownOn });
  announceChange(ctx, { of: Ticket, row: ticket, kind: 'changed' });
}
