// Technicians' absences.
import {
  by,
  change,
  create,
  forbidden,
  invalid,
  IsNull,
  param,
  record,
  sql,
  today,
  view,
  z,
  type Admin,
  type Context,
  type Given,
  type Wanted,
} from '@keelson/core';
import { dayInWords } from '@keelson/core/kit';
import { Technician, TechnicianNames } from '@keelson/modules/directory';
import { WriteTickets } from '@keelson/modules/tickets';
import { Absence } from './entities.ts';
import { titles } from './fields.ts';

const times = ['current', 'upcoming', 'past'] as const;

export const Absences = record(Absence, {
  title: 'Absence',
  call: ({ user_id, first_day, last_day }) => `of technician ${user_id} from ${first_day} to ${last_day}`,
  log: {
    names: { user_id: TechnicianNames, substitute_user_id: TechnicianNames },
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
  // Tickets are handed over again.
  follow: (_ctx, before, wanted) => (isOther(before, wanted) ? { handed_over_at: null } : {}),
  async prepare({ db }, { user_id, first_day, last_day, substitute_user_id }, before) {
    if (last_day < first_day) throw invalid('last_day must not be before first_day');
    if (substitute_user_id === user_id) throw invalid('substitute_user_id must be another technician');
    const isActive = (id: number) => db.existsBy(Technician, { user_id: id, active: true, deleted_at: IsNull() });
    if (!before && !(await isActive(user_id))) throw invalid('user_id must be an active technician');
    if (
      substitute_user_id !== null &&
      substitute_user_id !== before?.substitute_user_id &&
      !(await isActive(substitute_user_id))
    )
      throw invalid('substitute_user_id must be an active technician');
  },
});

type NewAbsence = Omit<Given<typeof Absences>, 'handed_over_at'>;
type Changes = Omit<Wanted<typeof Absences>, 'user_id' | 'handed_over_at' | 'created_at'>;

/**
 * Adds an absence.
 * @throws invalid() if a technician is not active or the days are in the wrong order; forbidden() if it hands over
 * tickets and the caller may not change any
 */
export function createAbsence(ctx: Context, given: NewAbsence): Promise<Absence> {
  if (given.hand_over) checkHandOver(ctx);
  return create(ctx, Absences, given);
}

/** Changes an absence. @throws as createAbsence() */
export function changeAbsence(ctx: Context, before: Absence, changes: Changes): Promise<Absence> {
  if ({ ...before, ...changes }.hand_over && isOther(before, changes)) checkHandOver(ctx);
  return change(ctx, Absences, before, changes);
}

function isOther(before: Absence, wanted: Partial<Absence>): boolean {
  const fields = ['hand_over', 'substitute_user_id', 'first_day'] as const;
  return fields.some((field) => wanted[field] !== undefined && wanted[field] !== before[field]);
}

/** The job may change any ticket, so only those who may change tickets can request a handover. */
function checkHandOver({ actor }: Context): void {
  if (actor && !WriteTickets.allows(actor as Admin))
    throw forbidden('Handing over tickets requires the permission tickets:write');
}

export const AbsenceItem = view(Absences, {
  more: (its) => ({
    technician_name: its.name(TechnicianNames, 'user_id'),
    hand_over: its.from(z.boolean().meta({ title: titles.hand_over }), ['hand_over'], (row) => row.hand_over),
    substitute_name: its.name(TechnicianNames, 'substitute_user_id'),
  }),
});
