// Appointments as customers see them: visits and calls that are not over.
import { In, MoreThan, z, type Context } from '@keelson/core';
import { TechnicianNames } from '@keelson/modules/directory';
import type { Ticket } from '@keelson/modules/tickets';
import { Appointment, confirmations } from './entities.ts';

export const PortalAppointment = z.object({
  appointment_id: z.int(),
  kind: z.enum(['visit', 'call']),
  starts_at: z.iso.datetime(),
  ends_at: z.iso.datetime(),
  technician_name: z.string(),
  confirmation: z.enum(confirmations),
});

/** Maximum number returned. */
const MOST = 50;

export async function listPortalAppointments(
  { db, app, now }: Context,
  { ticket_id }: Ticket,
): Promise<z.infer<typeof PortalAppointment>[]> {
  const found = await db.find(Appointment, {
    where: { ticket_id, kind: In(['visit', 'call']), ends_at: MoreThan(now) },
    order: { starts_at: 'ASC', appointment_id: 'ASC' },
    take: MOST,
  });
  const names = await app.names.get(db, TechnicianNames, [...new Set(found.map((each) => each.user_id))]);
  return found.map(({ appointment_id, kind, starts_at, ends_at, user_id, confirmation }) => ({
    ...{ appointment_id, starts_at, ends_at, confirmation },
    kind: kind === 'call' ? 'call' : 'visit',
    technician_name: names.get(user_id) ?? '',
  }));
}
