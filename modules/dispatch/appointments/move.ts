// Moves an appointment on behalf of its contact.
import { change, conflict, type Context, type Timestamp } from '@keelson/core';
import { Technician } from '@keelson/modules/directory';
import { Appointments, follow, tell, tellStaff, titles } from './appointments.ts';
import type { Appointment } from './entities.ts';
import { movability, readFreeTimes } from './free-times.ts';

/**
 * Moves a locked appointment to a free time, which counts as confirmed. Notifies the contact and the staff.
 * @throws conflict() if it cannot be moved any more, or the time is not free
 */
export async function moveByCustomer(ctx: Context, before: Appointment, starts_at: Timestamp): Promise<Appointment> {
  const { user_id } = before;
  // One at a time per technician, so that two customers cannot choose the same time.
  await ctx.db.findOne(Technician, { where: { user_id }, lock: { mode: 'pessimistic_write' } });
  if (!(await movability(ctx))(before)) throw conflict('This appointment can no longer be moved online');
  const time = (await readFreeTimes(ctx, before)).find((each) => each.starts_at === starts_at);
  if (!time) throw conflict('This time is no longer available');
  const after = await change(ctx, Appointments, before, {
    ...time,
    sequence: before.sequence + 1,
    customer_moves: before.customer_moves + 1,
    confirmation: 'confirmed',
  });
  tell(ctx, after, 'agreed');
  await follow(ctx, after, `${titles[after.kind]} moved by the contact`);
  await tellStaff(ctx, after, 'appointment_moved');
  return after;
}
