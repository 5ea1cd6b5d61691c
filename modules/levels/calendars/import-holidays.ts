import { create, invalid, today, z, type Context } from '@keelson/core';
import { Holidays } from './calendars.ts';
import { LevelHoliday, type LevelCalendar } from './entities.ts';
import { readHolidays } from './ics.ts';

export const ImportedHolidays = z.object({ calendar_id: z.int(), imported: z.int(), known: z.int() });

/**
 * Adds the all-day events of an iCalendar text to a locked calendar as holidays. Days that already have their own hours
 * are left unchanged. @throws invalid() if the text is not a calendar or has no holidays from this year on
 */
export async function importHolidays(ctx: Context, { calendar_id }: LevelCalendar, ics_text: string) {
  const found = readHolidays(ics_text, `${today(ctx).slice(0, 4)}-01-01`);
  if (!found) throw invalid('ics_text must be an iCalendar file');
  if (found.length === 0) throw invalid('ics_text must contain an all-day event from this year on');
  const known = new Set((await ctx.db.findBy(LevelHoliday, { calendar_id })).map((each) => each.day));
  const added = found.filter(({ day }) => !known.has(day));
  for (const each of added) await create(ctx, Holidays, { calendar_id, ...each, hours: [] });
  return { calendar_id, imported: added.length, known: found.length - added.length };
}
