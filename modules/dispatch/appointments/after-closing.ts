// Cancels what is still planned for closed tickets.
import { In, IsNull, MoreThan, Not, plus, type Context } from '@keelson/core';
import { eachApart } from '@keelson/core/kit';
import { Ticket } from '@keelson/modules/tickets';
import { cancelAppointment } from './appointments.ts';
import { Appointment } from './entities.ts';

/** Time to reopen a ticket that was closed by mistake. */
const GRACE = { minutes: -10 } as const;
const AT_ONCE = 500;

/**
 * Cancels the appointments of closed tickets that have not begun, each in its own short transaction, and tells their
 * contacts. Those planned after the ticket was closed stay.
 * @throws AggregateError naming those that failed, once the others are done
 */
export async function cancelAfterClosing(outside: Context<undefined>): Promise<void> {
  await eachApart(
    plannedForClosed(outside),
    ({ appointment_id }) => `appointment ${appointment_id}`,
    (each) => outside.transaction((ctx) => cancelIfClosed(ctx, each)),
  );
}

/** Reads the upcoming appointments whose tickets are closed. */
async function* plannedForClosed({ db, now }: Context<undefined>): AsyncGenerator<Appointment> {
  const order = { appointment_id: 'ASC' } as const;
  for (let last = 0, size = AT_ONCE; size === AT_ONCE;) {
    const where = { starts_at: MoreThan(now), ticket_id: Not(IsNull()), appointment_id: MoreThan(last) };
    const ahead = await db.find(Appointment, { where, order, take: AT_ONCE });
    const ids = ahead.flatMap(({ ticket_id }) => ticket_id ?? []);
    const tickets = ids.length === 0 ? [] : await db.findBy(Ticket, { ticket_id: In(ids), status: 'closed' });
    const closed = new Set(tickets.map(({ ticket_id }) => ticket_id));
    yield* ahead.filter(({ ticket_id }) => ticket_id !== null && closed.has(ticket_id));
    last = ahead.at(-1)?.appointment_id ?? last;
    size = ahead.length;
  }
}

async function cancelIfClosed(ctx: Context, { appointment_id }: Appointment): Promise<void> {
  const lock = { mode: 'pessimistic_write' } as const;
  // It may have been moved or cancelled, and the ticket reopened, since it was read.
  const where = { appointment_id, starts_at: MoreThan(ctx.now) };
  const appointment = await ctx.db.findOne(Appointment, { where, lock });
  if (!appointment || appointment.ticket_id === null) return;
  const ticket = await ctx.db.findOneBy(Ticket, { ticket_id: appointment.ticket_id, status: 'closed' });
  const closed_at = ticket?.closed_at;
  if (!closed_at || closed_at > plus(ctx.now, GRACE) || closed_at < appointment.created_at) return;
  await cancelAppointment(ctx, appointment);
}
