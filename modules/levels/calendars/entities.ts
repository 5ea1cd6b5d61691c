import { day, flag, id, json, key, ref, table, text, when, z, type Row } from '@keelson/core';

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** A time span within a day, in local time: `09:00` to `17:00`. The day ends at `24:00`. */
export const OpeningSpan = z.object({ from: z.string(), to: z.string() });
export type OpeningSpan = z.infer<typeof OpeningSpan>;

/** A time span on a weekday. A weekday may have several spans, or none. */
export const WeeklySpan = z.object({ weekday: z.enum(weekdays), ...OpeningSpan.shape });
export type WeeklySpan = z.infer<typeof WeeklySpan>;

/** Business hours. */
export const LevelCalendar = table(
  'level_calendar',
  {
    calendar_id: id(),
    name: text(255),
    name_key: key().nullable().unique().hidden(),
    /** An IANA time zone. */
    time_zone: text(64),
    hours: json(z.array(WeeklySpan)),
    /** Used by policies without a calendar of their own. At most one calendar is the default. */
    is_default: flag().default(false),
    /** An iCalendar address whose holidays are added every day, or ''. */
    holidays_url: text(2048).default(''),
    /** The last attempt to read it. */
    holidays_read_at: when().nullable(),
    /** Why the last attempt failed. */
    holidays_error: text(500).nullable(),
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
