import { day, id, ref, table, text, when, type Row } from '@keelson/core';
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
    created_at: when(),
  },
  [
    ['first_day', 'absence_id'],
    ['user_id', 'first_day', 'absence_id'],
    ['last_day', 'absence_id'],
  ],
);
export type Absence = Row<typeof Absence>;
