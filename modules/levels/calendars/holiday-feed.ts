// Reads the holidays of calendars from their addresses once a day, so that those of coming years are added in time.
import { IsNull, lock, Not, plus, type Context } from '@keelson/core';
import { eachApart, messageOf } from '@keelson/core/kit';
import { Calendars } from './calendars.ts';
import { LevelCalendar } from './entities.ts';
import { addHolidays, holidaysIn, readCalendar } from './import-holidays.ts';

const EACH = { days: 1 } as const;
/** Delay before an address that could not be read is tried again. */
const AGAIN = { hours: 1 } as const;

/** Reads the addresses that are due. @throws AggregateError naming the calendars whose address cannot be read */
export async function readHolidayFeeds(outside: Context<undefined>): Promise<void> {
  const where = { holidays_url: Not(''), deleted_at: IsNull() };
  const since = plus(outside.now, { days: -EACH.days });
  const failedSince = plus(outside.now, { hours: -AGAIN.hours });
  const calendars = await outside.db.find(LevelCalendar, { where, order: { calendar_id: 'ASC' } });
  const due = calendars.filter(
    ({ holidays_read_at: at, holidays_error: fault }) => at === null || at <= (fault === null ? since : failedSince),
  );
  await eachApart(
    due,
    ({ name }) => `holidays of ${name}`,
    (calendar) => readFeed(outside, calendar),
  );
}

/** A failed attempt counts as well: the next one is an hour later, and the calendar says why. */
async function readFeed(outside: Context<undefined>, { calendar_id, holidays_url }: LevelCalendar): Promise<void> {
  try {
    const found = holidaysIn(outside, await readCalendar(outside, { url: holidays_url }));
    await outside.transaction(async (ctx) => {
      const calendar = await lock(ctx, Calendars, calendar_id);
      if (calendar.holidays_url !== holidays_url) return;
      await addHolidays(ctx, calendar, found);
      await noteReading(ctx, calendar, '');
    });
  } catch (error) {
    await outside.transaction((ctx) => noteReading(ctx, { calendar_id, holidays_url }, messageOf(error)));
    throw error;
  }
}

async function noteReading(
  ctx: Context,
  { calendar_id, holidays_url }: Pick<LevelCalendar, 'calendar_id' | 'holidays_url'>,
  fault: string,
): Promise<void> {
  const noted = { holidays_read_at: ctx.now, holidays_error: fault.slice(0, 500) || null };
  await ctx.db.update(LevelCalendar, { calendar_id, holidays_url }, noted);
}
