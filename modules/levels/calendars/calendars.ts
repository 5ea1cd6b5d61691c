// Calendars of business hours, with their holidays.
import {
  by,
  change,
  changeAll,
  create,
  duplicate,
  inUse,
  IsNull,
  lock,
  normalised,
  param,
  record,
  remove,
  view,
  z,
  type Context,
  type Given,
  type Wanted,
} from '@keelson/core';
import { explained } from '@keelson/core/kit';
import { matching } from '@keelson/core/list';
import { CalendarNames } from '../names.ts';
import { replanCalendar } from '../replan.ts';
import { LevelCalendar, LevelHoliday, weekdays, type OpeningSpan, type WeeklySpan } from './entities.ts';

export const Calendars = record(LevelCalendar, {
  title: 'Calendar',
  logTitle: 'Service level calendar',
  call: ({ name }) => name,
  filters: (its) => ({ search: its.by(param.search(), (_ctx, text) => matching(text, ['level_calendar.name'])) }),
  sorts: { name: by('name') },
  order: 'asc',
  names: CalendarNames,
  taken: ({ name }) => `name ${name} already exists`,
  held: ({ name }, others) => `${name} is used by ${others.join(', ')}`,
  derive: ({ name }) => ({ name_key: normalised(name) }),
  async created(ctx, calendar) {
    await onlyDefault(ctx, [calendar]);
    await replanCalendar(ctx, calendar);
  },
  async changed(ctx, changes) {
    await onlyDefault(
      ctx,
      changes.map(({ after }) => after),
    );
    for (const { before, after } of changes)
      await replanCalendar(ctx, { ...after, is_default: before.is_default || after.is_default });
  },
  async removed(ctx, calendars) {
    for (const each of calendars) await replanCalendar(ctx, each);
  },
});

export const CalendarItem = view(Calendars);
export const Holidays = record(LevelHoliday, {
  title: 'Holiday',
  logTitle: 'Service level holiday',
  call: ({ name, day }) => `${name} on ${day}`,
  filters: (its) => ({ calendar_id: its.is('calendar_id') }),
  sorts: { day: by('day') },
  order: 'asc',
  taken: ({ day }) => `day ${day} already has its own hours`,
  created: (ctx, holiday) => replanOf(ctx, [holiday]),
  changed: (ctx, changes) =>
    replanOf(
      ctx,
      changes.map(({ after }) => after),
    ),
  removed: replanOf,
});

export const HolidayItem = view(Holidays, {
  more: (its) => ({
    calendar_name: its.name(CalendarNames, 'calendar_id'),
    /** Formats the hours for display. */
    opening: its.from(z.string(), ['hours'], ({ hours }) =>
      hours.length === 0 ? explained('Closed') : hours.map(({ from, to }) => `${from}–${to}`).join(', '),
    ),
  }),
});

/** Adds a calendar. */
export const createCalendar = (ctx: Context, { hours, ...given }: Given<typeof Calendars>): Promise<LevelCalendar> =>
  create(ctx, Calendars, { ...given, hours: inOrder(hours) });

/** Changes a calendar. A few seconds later, the job replans open tickets that use it. */
export const changeCalendar = (
  ctx: Context,
  calendar: LevelCalendar,
  { hours, ...wanted }: Wanted<typeof Calendars>,
): Promise<LevelCalendar> => {
  const isNewAddress = wanted.holidays_url !== undefined && wanted.holidays_url !== calendar.holidays_url;
  return change(ctx, Calendars, calendar, {
    ...wanted,
    ...(hours && { hours: inOrder(hours) }),
    ...(isNewAddress && { holidays_read_at: null, holidays_error: null }),
  });
};

/**
 * Deletes a calendar.
 * @throws inUse() for the default one: policies without a calendar would silently count around the clock
 */
export async function removeCalendar(ctx: Context, calendar: LevelCalendar): Promise<void> {
  if (calendar.is_default) throw inUse(`${calendar.name} is the default calendar: choose another default first`);
  await remove(ctx, Calendars, calendar);
}

export interface NewHoliday {
  readonly calendar_id: number;
  readonly day: string;
  readonly name: string;
  readonly hours?: readonly OpeningSpan[] | undefined;
}

/**
 * Adds a holiday.
 * @throws notFound() if the calendar does not exist; duplicate() if the day already has its own hours
 */
export async function createHoliday(ctx: Context, { hours = [], ...given }: NewHoliday): Promise<LevelHoliday> {
  await lock(ctx, Calendars, given.calendar_id);
  if (await ctx.db.findOneBy(LevelHoliday, { calendar_id: given.calendar_id, day: given.day }))
    throw duplicate(`day ${given.day} already has its own hours`);
  return create(ctx, Holidays, { ...given, hours: hours.toSorted(byStart) });
}

/** Changes a holiday. A few seconds later, the job replans open tickets that use its calendar. */
export const changeHoliday = (
  ctx: Context,
  holiday: LevelHoliday,
  { hours, ...wanted }: Wanted<typeof Holidays>,
): Promise<LevelHoliday> =>
  change(ctx, Holidays, holiday, { ...wanted, ...(hours && { hours: hours.toSorted(byStart) }) });

const byStart = (a: OpeningSpan, b: OpeningSpan): number => (a.from < b.from ? -1 : 1);

const inOrder = (hours: readonly WeeklySpan[]): WeeklySpan[] =>
  hours.toSorted((a, b) => weekdays.indexOf(a.weekday) - weekdays.indexOf(b.weekday) || byStart(a, b));

/** Clears the default flag of the previous default calendar. */
async function onlyDefault(ctx: Context, calendars: readonly LevelCalendar[]): Promise<void> {
  const chosen = calendars.find((each) => each.is_default);
  if (!chosen) return;
  const others = await ctx.db.find(LevelCalendar, {
    where: { is_default: true, deleted_at: IsNull() },
    lock: { mode: 'pessimistic_write' },
  });
  await changeAll(
    ctx,
    Calendars,
    others.filter(({ calendar_id }) => calendar_id !== chosen.calendar_id),
    { is_default: false },
  );
}

async function replanOf(ctx: Context, holidays: readonly LevelHoliday[]): Promise<void> {
  for (const calendar_id of new Set(holidays.map((each) => each.calendar_id)))
    for (const calendar of await ctx.db.findBy(LevelCalendar, { calendar_id })) await replanCalendar(ctx, calendar);
}
