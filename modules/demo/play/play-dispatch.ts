// The demo's appointments: one that is over, today's, and two to come, of which the customer has confirmed one.
import { addDays, IsNull, Not, plus, today, type App, type Context, type Timestamp } from '@keelson/core';
import { readMoment, zoneOf } from '@keelson/core/kit';
import type { Author } from '@keelson/core/log';
import { contextOf } from '@keelson/core/system';
import { answerAppointment, planAppointment } from '@keelson/modules/dispatch';
import { LevelCalendar } from '@keelson/modules/levels';
import { Ticket } from '@keelson/modules/tickets';
import type { Customer, Staff } from '../people.ts';

/** Plans appointments for a customer's open tickets, by the administrator. */
export async function playDispatch(app: App, staff: Staff, { company: { company_number } }: Customer): Promise<void> {
  const { administrator, technician } = staff;
  const author: Author = { type: 'technician', id: administrator.user_id, name: administrator.name };
  await contextOf({ app, actor: undefined, author }).transaction(async (ctx: Context) => {
    const tickets = await ctx.db.find(Ticket, {
      where: { company_number, status: Not('closed'), requester_employee_number: Not(IsNull()), deleted_at: IsNull() },
      order: { ticket_id: 'ASC' },
      take: 4,
    });
    const [over, current, confirmed, asked] = tickets;
    if (!over || !current || !confirmed || !asked) throw new Error('The demo has too few open tickets');
    const calendar = await ctx.db.findOneBy(LevelCalendar, { is_default: true, deleted_at: IsNull() });
    const zone = zoneOf(calendar?.time_zone ?? 'UTC');
    const at = (days: number, time: string): Timestamp =>
      readMoment(`${addDays(today(ctx), days)}T${time}:00`, zone) ?? ctx.now;
    const span = (days: number, time: string, minutes: number) => {
      const starts_at = at(days, time);
      return { starts_at, ends_at: plus(starts_at, { minutes }) };
    };
    const visit = (user_id: number, of: Ticket, when: { starts_at: Timestamp; ends_at: Timestamp }, note = '') =>
      planAppointment(ctx, {
        ...{ user_id, ticket_id: of.ticket_id, kind: 'visit', note, ...when },
        employee_number: of.requester_employee_number,
      });
    const { user_id } = technician;
    await answerAppointment(ctx, await visit(user_id, over, span(-1, '10:00', 90)), 'confirmed');
    await planAppointment(ctx, { user_id, kind: 'travel', note: 'Drive to the customer', ...span(0, '12:30', 30) });
    await answerAppointment(
      ctx,
      await visit(user_id, current, span(0, '13:00', 120), 'Bring the spare disk'),
      'confirmed',
    );
    await answerAppointment(ctx, await visit(administrator.user_id, confirmed, span(2, '09:00', 60)), 'confirmed');
    await visit(user_id, asked, span(3, '14:00', 60), 'Second floor, ask for the key');
  });
}
