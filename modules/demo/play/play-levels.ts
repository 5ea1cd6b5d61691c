// The demo's business hours and service level policy, which cover all tickets created after them.
import type { App, Context } from '@keelson/core';
import type { Author } from '@keelson/core/log';
import { contextOf } from '@keelson/core/system';
import { createCalendar, createHoliday, createPolicy } from '@keelson/modules/levels';
import type { Staff } from '../people.ts';

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const;

const target = (priority: number, response_minutes: number, resolution_minutes: number) => ({
  priority,
  response_minutes,
  next_response_minutes: response_minutes * 2,
  resolution_minutes,
});

/** Adds a calendar and a policy by the administrator. */
export async function playLevels(app: App, { administrator: { user_id: id, name } }: Staff): Promise<void> {
  const author: Author = { type: 'technician', id, name };
  await contextOf({ app, actor: undefined, author }).transaction(async (ctx: Context) => {
    const { calendar_id } = await createCalendar(ctx, {
      name: 'Office hours',
      time_zone: 'America/New_York',
      is_default: true,
      hours: weekdays.map((weekday) => ({ weekday, from: '08:00', to: '18:00' })),
    });
    const year = ctx.now.slice(0, 4);
    await createHoliday(ctx, { calendar_id, day: `${year}-12-25`, name: 'Christmas Day' });
    await createHoliday(ctx, {
      calendar_id,
      day: `${year}-12-24`,
      name: 'Christmas Eve',
      hours: [{ from: '08:00', to: '12:00' }],
    });
    await createPolicy(ctx, {
      name: 'Standard support',
      shown_to_customers: true,
      targets: [
        target(1, 30, 240),
        target(2, 60, 480),
        target(3, 240, 1440),
        target(4, 480, 2880),
        target(5, 600, 6000),
      ],
    });
  });
}
