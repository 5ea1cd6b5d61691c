// Technicians' absences.
import { by, create, invalid, IsNull, param, record, sql, today, view, type Context, type Given } from '@keelson/core';
import { dayInWords } from '@keelson/core/kit';
import { Technician, TechnicianNames } from '@keelson/modules/directory';
import { Absence } from './entities.ts';

const times = ['current', 'upcoming', 'past'] as const;

export const Absences = record(Absence, {
  title: 'Absence',
  call: ({ user_id, first_day, last_day }) => `of technician ${user_id} from ${first_day} to ${last_day}`,
  log: {
    names: { user_id: TechnicianNames },
    describe: (action, { first_day, last_day }, nameOf) =>
      `Absence of ${nameOf('user_id')} from ${dayInWords(first_day)} to ${dayInWords(last_day)} ${action}d`,
  },
  filters: (its) => ({
    user_id: its.is('user_id'),
    when: its.by(param.choice(times), (ctx, when) => {
      const day = today(ctx);
      if (when === 'upcoming') return sql`absence.first_day > ${day}`;
      if (when === 'past') return sql`absence.last_day < ${day}`;
      return sql`absence.first_day <= ${day} AND absence.last_day >= ${day}`;
    }),
  }),
  sorts: { first_day: by('first_day') },
  async prepare({ db }, { user_id, first_day, last_day }, before) {
    if (last_day < first_day) throw invalid('last_day must not be before first_day');
    if (before) return;
    const known = { user_id, active: true, deleted_at: IsNull() };
    if (!(await db.existsBy(Technician, known))) throw invalid('user_id must be an active technician');
  },
});

/** Adds an absence. @throws invalid() if the technician is not active or the days are in the wrong order */
export const createAbsence = (ctx: Context, given: Given<typeof Absences>): Promise<Absence> =>
  create(ctx, Absences, given);

export const AbsenceItem = view(Absences, {
  more: (its) => ({ technician_name: its.name(TechnicianNames, 'user_id') }),
});
