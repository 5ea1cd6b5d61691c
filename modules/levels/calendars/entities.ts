import { day, flag, id, json, key, ref, table, text, when, z, type Row } from '@keelson/core';

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** A span of a day in local time: `09:00` to `17:00`. The day ends at `24:00`. */
export const OpeningSpan = z.object({ from: z.string(), to: z.string() });
export type OpeningSpan = z.infer<typeof OpeningSpan>;

/** A span of every such weekday. A weekday may have several, or none. */
export const WeeklySpan = z.object({ weekday: z.enum(weekdays), ...OpeningSpan.shape });
export type WeeklySpan = z.infer<typeof WeeklySpan>;

/** Business hours. */
export const LevelCalendar = table(
  'level_calendar',
  {
    calendar_id: id(),
    name: text(255),
    name_key: key().nullable().unique().hidden(),
    /** An IANA name. */
    time_zone: text(64),
    hours: json(z.array(WeeklySpan)),
    /** Used by policies that name no calendar. At most one is. */
    is_default: flag().default(false),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [['name', 'calendar_id', 'deleted_at']],
);
export type LevelCalendar = Row<typeof LevelCalendar>;

/** A calendar day with its own hours; a holiday has none. */
export const LevelHoliday = table(
  'level_holiday',
  {
    holiday_id: id(),
    calendar_id: ref(LevelCalendar),
    day: day(),
    name: text(255),
    hours: json(z.array(OpeningSpan)),
    created_at: when(),
  },
  [['day', 'holiday_id']],
  { unique: [['calendar_id', 'day']] },
);
export type LevelHoliday = Row<typeof LevelHoliday>;
