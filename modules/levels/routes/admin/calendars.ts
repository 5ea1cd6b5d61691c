import { admin, administrators, findOr404, input, item, lock, nounRoutes, z } from '@keelson/core';
import { ReadSettings, WriteSettings } from '@keelson/modules/system';
import {
  CalendarItem,
  Calendars,
  changeCalendar,
  createCalendar,
  changeHoliday,
  createHoliday,
  HolidayItem,
  Holidays,
  removeCalendar,
} from '../../calendars/calendars.ts';
import { calendarFields, holidayFields } from '../../calendars/fields.ts';
import { ImportedHolidays, importHolidays, MOST_TEXT, readCalendar } from '../../calendars/import-holidays.ts';

const Write = administrators(WriteSettings);

export default [
  ...nounRoutes(admin, '/levels/calendars.php?id={id}', Calendars, {
    addition: true,
    titles: {
      list: 'List calendars',
      create: 'Create a calendar',
      read: 'Read a calendar',
      update: 'Change a calendar',
      delete: 'Delete a calendar',
    },
    read: ReadSettings,
    write: Write,
    view: CalendarItem,
    fields: calendarFields,
    create: createCalendar,
    change: changeCalendar,
    remove: removeCalendar,
  }),
  admin.post('/levels/calendars.php?action=import&id={id}', {
    title: 'Import holidays into a calendar',
    addition: true,
    access: Write,
    body: z.object({ ics_text: input.optional(input.longText(MOST_TEXT)), url: input.optional(input.url()) }),
    returns: item(ImportedHolidays),
    slow: true,
    load: (ctx, { id }) => findOr404(ctx, Calendars, id),
    handle: async (ctx, { item: { calendar_id }, body }) => {
      const given = await readCalendar(ctx, body);
      return ctx.transaction(async (inside) =>
        importHolidays(inside, await lock(inside, Calendars, calendar_id), given),
      );
    },
  }),
  ...nounRoutes(admin, '/levels/holidays.php?id={id}', Holidays, {
    addition: true,
    titles: {
      list: 'List holidays',
      create: 'Add a holiday to a calendar',
      read: 'Read a holiday',
      update: 'Change a holiday',
      delete: 'Delete a holiday',
    },
    read: ReadSettings,
    write: Write,
    view: HolidayItem,
    fields: holidayFields,
    newFields: { calendar_id: input.id() },
    create: createHoliday,
    change: changeHoliday,
  }),
];
