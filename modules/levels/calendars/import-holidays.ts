import { create, invalid, today, z, type Context } from '@keelson/core';
import { messageOf } from '@keelson/core/kit';
import { Holidays } from './calendars.ts';
import { LevelHoliday, type LevelCalendar } from './entities.ts';
import { readHolidays, type FoundHoliday } from './ics.ts';

export const ImportedHolidays = z.object({ calendar_id: z.int(), imported: z.int(), known: z.int() });

/** Maximum length of an iCalendar text. */
export const MOST_TEXT = 1_000_000;
const ANSWER_MS = 20_000;

/** An iCalendar text, and the field that it comes from, for errors. */
export interface GivenCalendar {
  readonly from: 'ics_text' | 'url';
  readonly text: string;
}

/**
 * Returns the text that was given, or the one at the address that was given. Call it outside transactions.
 * @throws invalid() unless exactly one of them was given, and naming why the address cannot be read
 */
export async function readCalendar(
  { app }: Context,
  { ics_text, url }: { readonly ics_text?: string | undefined; readonly url?: string | undefined },
): Promise<GivenCalendar> {
  if ((ics_text === undefined) === (url === undefined)) throw invalid('Either ics_text or url is required');
  if (url === undefined) return { from: 'ics_text', text: ics_text ?? '' };
  const answer = await app.egress
    .request(url, { maxBytes: MOST_TEXT + 1, timeoutMs: ANSWER_MS })
    .catch((error: unknown) => {
      throw invalid(`url cannot be read: ${messageOf(error)}`);
    });
  if (answer.status !== 200) throw invalid(`url cannot be read: the server responded with ${answer.status}`);
  if (answer.body.length > MOST_TEXT) throw invalid(`url must have at most ${MOST_TEXT} characters`);
  return { from: 'url', text: answer.body };
}

/** Returns the all-day events of an iCalendar text from this year on. @throws invalid() if it is not a calendar */
export function holidaysIn(ctx: Context, { from, text }: GivenCalendar): FoundHoliday[] {
  const found = readHolidays(text, `${today(ctx).slice(0, 4)}-01-01`);
  if (!found) throw invalid(`${from} must be an iCalendar file`);
  return found;
}

/** Adds holidays to a locked calendar. @throws invalid() if the text is not a calendar or has none from this year on */
export async function importHolidays(ctx: Context, calendar: LevelCalendar, given: GivenCalendar) {
  const found = holidaysIn(ctx, given);
  if (found.length === 0) throw invalid(`${given.from} must contain an all-day event from this year on`);
  return addHolidays(ctx, calendar, found);
}

/** Adds holidays to a locked calendar. Days that already have their own hours are left unchanged. */
export async function addHolidays(ctx: Context, { calendar_id }: LevelCalendar, found: readonly FoundHoliday[]) {
  const known = new Set((await ctx.db.findBy(LevelHoliday, { calendar_id })).map((each) => each.day));
  const added = found.filter(({ day }) => !known.has(day));
  for (const each of added) await create(ctx, Holidays, { calendar_id, ...each, hours: [] });
  return { calendar_id, imported: added.length, known: found.length - added.length };
}
