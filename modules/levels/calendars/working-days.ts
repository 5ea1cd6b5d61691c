// Working days of a calendar, for modules that plan by day.
import { IsNull, type Context, type Day } from '@keelson/core';
import { zoneOf, type Zone } from '@keelson/core/kit';
import { LevelCalendar, LevelHoliday, weekdays } from './entities.ts';

export interface WorkingDays {
  /** The calendar's time zone; without a calendar, the installation's. */
  readonly zone: Zone;
  /** False if the calendar has no hours on the day: a holiday, or a weekday off. Without a calendar, always true. */
  isOpen(day: Day): boolean;
}

/** Reads a calendar's working days; null is the default calendar. */
export async function readWorkingDays(ctx: Context, calendar_id: number | null): Promise<WorkingDays> {
  const { db, app } = ctx;
  const which = calendar_id === null ? { is_default: true } : { calendar_id };
  const calendar = await db.findOneBy(LevelCalendar, { ...which, deleted_at: IsNull() });
  if (!calendar) return { zone: app.zone, isOpen: () => true };
  const days = await db.findBy(LevelHoliday, { calendar_id: calendar.calendar_id });
  const special = new Map(days.map((each) => [each.day, each.hours.length > 0]));
  const open = new Set(calendar.hours.map((each) => each.weekday));
  return {
    zone: zoneOf(calendar.time_zone),
    isOpen: (day) => special.get(day) ?? open.has(weekdayOf(day)),
  };
}

function weekdayOf(day: Day): (typeof weekdays)[number] {
  // 1 January 1970 was a Thursday.
  const sinceMonday = Date.parse(`${day}T00:00:00.000Z`) / 86_400_000 + 3;
  return weekdays[((sinceMonday % 7) + 7) % 7] ?? 'monday';
}
