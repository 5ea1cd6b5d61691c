import { IsNull, type Context, type Timestamp } from '@keelson/core';
import { instant } from '@keelson/core/kit';
import { LevelCalendar, LevelHoliday } from './calendars/entities.ts';
import { hoursOf } from './plans.ts';
import { afterWorkingTime } from './working-time.ts';

/** Returns when business hours begin next: now if they are on, or if the calendar is gone or never open. */
export async function readOpening({ db, now }: Context, calendar_id: number): Promise<Timestamp> {
  const calendar = await db.findOneBy(LevelCalendar, { calendar_id, deleted_at: IsNull() });
  if (!calendar) return now;
  const hours = hoursOf(calendar, await db.findBy(LevelHoliday, { calendar_id }));
  // The end of the first working millisecond.
  const first = afterWorkingTime(hours, now, 1);
  return first === undefined ? now : instant(Date.parse(first) - 1);
}
