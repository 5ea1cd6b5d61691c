import { In, IsNull, type Context, type Timestamp } from '@keelson/core';
import { instant } from '@keelson/core/kit';
import { LevelCalendar, LevelHoliday } from './calendars/entities.ts';
import { hoursOf } from './plans.ts';
import { afterWorkingTime, workingSpans } from './working-time.ts';

/**
 * Returns when business hours next begin: now if they have already begun, or if the calendar was deleted or never
 * opens.
 */
export async function readOpening({ db, now }: Context, calendar_id: number): Promise<Timestamp> {
  const calendar = await db.findOneBy(LevelCalendar, { calendar_id, deleted_at: IsNull() });
  if (!calendar) return now;
  const hours = hoursOf(calendar, await db.findBy(LevelHoliday, { calendar_id }));
  // The end of the first working millisecond.
  const first = afterWorkingTime(hours, now, 1);
  return first === undefined ? now : instant(Date.parse(first) - 1);
}

export interface OpenSpan {
  readonly starts_at: Timestamp;
  readonly ends_at: Timestamp;
}

/**
 * Returns the business hours of calendars between two instants; null is the default calendar. Deleted calendars are
 * absent.
 */
export async function readOpenSpans(
  { db }: Context,
  ids: readonly (number | null)[],
  from: Timestamp,
  to: Timestamp,
): Promise<Map<number | null, OpenSpan[]>> {
  const wanted = ids.flatMap((each) => each ?? []);
  const calendars = await db.find(LevelCalendar, {
    where: [
      { calendar_id: In(wanted), deleted_at: IsNull() },
      { is_default: true, deleted_at: IsNull() },
    ],
  });
  const days = await db.findBy(LevelHoliday, { calendar_id: In(calendars.map((each) => each.calendar_id)) });
  const spansOf = (calendar: LevelCalendar): OpenSpan[] => {
    const hours = hoursOf(
      calendar,
      days.filter((each) => each.calendar_id === calendar.calendar_id),
    );
    return [...workingSpans(hours, Date.parse(from), Date.parse(to))].map(([starts, ends]) => ({
      starts_at: instant(starts),
      ends_at: instant(ends),
    }));
  };
  return new Map(
    ids.flatMap((id) => {
      const calendar = calendars.find((each) => (id === null ? each.is_default : each.calendar_id === id));
      return calendar ? [[id, spansOf(calendar)] as const] : [];
    }),
  );
}
