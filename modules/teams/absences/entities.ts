import { day, flag, id, ref, table, text, when, type Row } from '@keelson/core';
import { Technician } from '@keelson/modules/directory';

/** An absence of a technician, in the tenant's time zone; both days are included. */
export const Absence = table(
  'absence',
  {
    absence_id: id(),
    user_id: ref(Technician),
    first_day: day(),
    last_day: day(),
    note: text(255).default(''),
    /** Whether open tickets get another assignee when the absence begins (hand-over.ts). */
    hand_over: flag().default(false),
    /** Who takes them over, if available; null for the rules of the teams. */
    substitute_user_id: ref(Technician).nullable(),
    /** When they were handed over; null until then. */
    handed_over_at: when().nullable(),
    created_at: when(),
  },
  [
    ['first_day', 'absence_id'],
    ['user_id', 'first_day', 'absence_id'],
    ['last_day', 'absence_id'],
  ],
);
export type Absence = Row<typeof Absence>;
