export { createCalendar, createHoliday } from './calendars/calendars.ts';
export { readWorkingDays, type WorkingDays } from './calendars/working-days.ts';
export { LevelCalendar, LevelHoliday } from './calendars/entities.ts';
export { CalendarNames } from './names.ts';
export { LevelClock } from './clocks/entities.ts';
export { TicketSlaBreached, TicketSlaWarned } from './events.ts';
export { readOpening, readOpenSpans } from './opening.ts';
export { LevelPolicy } from './policies/entities.ts';
export { createPolicy } from './policies/policies.ts';
