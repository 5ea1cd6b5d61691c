import { changeAll, In, MoreThan, remove, type Context } from '@keelson/core';
import { hooked } from '@keelson/core/plugin';
import { TicketsMerged, TicketsWritten, type Merge, type TicketWrite } from '@keelson/modules/tickets';
import { Appointments, tell } from './appointments/appointments.ts';
import { Appointment } from './appointments/entities.ts';

export default [hooked(TicketsMerged, moveAppointments), hooked(TicketsWritten, cancelAppointments)];

/** Moves the appointments of a merged ticket. Links in invitations stay valid: the time is the same. */
async function moveAppointments(ctx: Context, { from, into }: Merge): Promise<void> {
  const its = await ctx.db.findBy(Appointment, { ticket_id: from.ticket_id });
  await changeAll(ctx, Appointments, its, { ticket_id: into.ticket_id });
}

/** Cancels the appointments of deleted tickets that are not over. */
async function cancelAppointments(ctx: Context, writes: readonly TicketWrite[]): Promise<void> {
  const deleted = writes.flatMap(({ before, after }) => (before && !after ? before.ticket_id : []));
  if (deleted.length === 0) return;
  const its = await ctx.db.findBy(Appointment, { ticket_id: In(deleted), ends_at: MoreThan(ctx.now) });
  await remove(ctx, Appointments, its);
  for (const each of its) tell(ctx, each, 'cancelled');
}
