// Body fields of calendars and holidays.
import { input, z } from '@keelson/core';
import { isZone } from '@keelson/core/kit';
import { weekdays, type OpeningSpan } from './entities.ts';

const TIME = /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/;

const timeField = z
  .string()
  .overwrite((text) => text.trim())
  .refine((text) => TIME.test(text), 'must be a time (HH:MM)')
  .meta({ maxLength: 5 });

const span = { from: timeField, to: timeField };
/** Maximum number of spans per week and per day. */
const MOST_WEEKLY = 70;
const MOST_DAILY = 10;

const weekly = z.object({ weekday: input.choice(weekdays), ...span });

/** The spans of a week: at least one, without overlaps within a weekday. */
const weeklyField = z
  .array(weekly)
  .min(1, 'must contain at least one span')
  .max(MOST_WEEKLY, `must contain at most ${MOST_WEEKLY} spans`)
  .superRefine((spans, issues) => {
    for (const of of weekdays) refuseMisplaced(spans, issues, ({ weekday }) => weekday === of);
  });

/** The spans of one day; none on a holiday. */
const dailyField = z
  .array(z.object(span))
  .max(MOST_DAILY, `must contain at most ${MOST_DAILY} spans`)
  .superRefine((spans, issues) => refuseMisplaced(spans, issues, () => true));

/** Reports spans that end before they start or overlap the previous one. */
function refuseMisplaced<S extends OpeningSpan>(
  spans: readonly S[],
  issues: z.RefinementCtx,
  which: (span: S) => boolean,
): void {
  const report = (index: number, member: 'from' | 'to', message: string) =>
    issues.addIssue({ code: 'custom', path: [index, member], message });
  const chosen = spans.map((each, index) => ({ ...each, index })).filter((each) => which(spans[each.index] as S));
  for (const { from, to, index } of chosen) if (from >= to) report(index, 'to', 'must be after from');
  const sorted = chosen.toSorted((a, b) => (a.from < b.from ? -1 : 1));
  for (const [at, { from, index }] of sorted.entries()) {
    const before = sorted[at - 1];
    if (before && from < before.to) report(index, 'from', 'must not be within another span of the day');
  }
}

/** Excludes offsets such as +01:00, which runtimes accept as zones. */
const ZONE = /^[A-Z][\w+/-]{1,63}$/i;

const zoneField = z
  .string()
  .overwrite((text) => text.trim())
  .refine((text) => ZONE.test(text) && isZone(text), 'must be an IANA time zone such as Europe/Berlin')
  .meta({ maxLength: 64 });

export const calendarFields = {
  name: input.text(255, { compared: true }),
  time_zone: zoneField,
  hours: weeklyField,
  is_default: input.optional(input.flag()),
  holidays_url: input.optionalUrl(),
};

export const holidayFields = {
  day: input.day(),
  name: input.text(255),
  hours: input.optional(dailyField),
};
