import { changeAll, type Context } from '@keelson/core';
import { hooked } from '@keelson/core/plugin';
import { TicketsMerged, type Merge } from '@keelson/modules/tickets';
import { Appointments } from './appointments/appointments.ts';
import { Appointment } from './appointments/entities.ts';

export default [hooked(TicketsMerged, moveAppointments)];

/** Moves the appointments of a merged ticket. Links in invitations stay valid: the time is the same. */
async function moveAppointments(ctx: Context, { from, into }: Merge): Promise<void> {
  const its = await ctx.db.findBy(Appointment, { ticket_id: from.ticket_id });
  await changeAll(ctx, Appointments, its, { ticket_id: into.ticket_id });
}
