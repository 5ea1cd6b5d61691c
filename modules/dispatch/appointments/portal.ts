// Appointments as customers see them: visits and calls that have not ended.
import { In, MoreThan, z, type Context } from '@keelson/core';
import { TechnicianNames } from '@keelson/modules/directory';
import type { Ticket } from '@keelson/modules/tickets';
import { Appointment, confirmations } from './entities.ts';
import { movability } from './free-times.ts';

export const PortalAppointment = z.object({
  appointment_id: z.int(),
  kind: z.enum(['visit', 'call']),
  starts_at: z.iso.datetime(),
  ends_at: z.iso.datetime(),
  technician_name: z.string(),
  confirmation: z.enum(confirmations),
  /** Whether it can still be moved to another time. */
  can_move: z.boolean(),
});

/** Maximum number returned. */
const MOST = 50;

export async function listPortalAppointments(
  ctx: Context,
  { ticket_id }: Ticket,
): Promise<z.infer<typeof PortalAppointment>[]> {
  const { db, app, now } = ctx;
  const found = await db.find(Appointment, {
    where: { ticket_id, kind: In(['visit', 'call']), ends_at: MoreThan(now) },
    order: { starts_at: 'ASC', appointment_id: 'ASC' },
    take: MOST,
  });
  const names = await app.names.get(db, TechnicianNames, [...new Set(found.map((each) => each.user_id))]);
  const isMovable = await movability(ctx);
  return found.map((each) => ({
    appointment_id: each.appointment_id,
    kind: each.kind === 'call' ? 'call' : 'visit',
    starts_at: each.starts_at,
    ends_at: each.ends_at,
    technician_name: names.get(each.user_id) ?? '',
    confirmation: each.confirmation,
    can_move: isMovable(each),
  }));
}
