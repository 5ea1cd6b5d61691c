// The dispatch board: technicians with their working hours, absences and appointments.
import {
  In,
  invalid,
  IsNull,
  LessThan,
  MoreThan,
  pageOf,
  plus,
  secondsBetween,
  show,
  sql,
  toDatabase,
  z,
  type Context,
  type Timestamp,
} from '@keelson/core';
import { Technician } from '@keelson/modules/directory';
import { readOpenSpans } from '@keelson/modules/levels';
import { readAbsencesBetween, readRotas, TeamMember } from '@keelson/modules/teams';
import { TicketItem } from '@keelson/modules/tickets';
import { AppointmentItem, MOST_DAYS } from '../appointments/appointments.ts';
import { Appointment } from '../appointments/entities.ts';
import { meet, readCalendars } from './people.ts';

const span = { starts_at: z.iso.datetime(), ends_at: z.iso.datetime() };

export const BoardPerson = z.object({
  user_id: z.int(),
  name: z.string(),
  /** The business hours of the person’s team, or the default ones; null if there are none. */
  working: z.array(z.object(span)).nullable(),
  absences: z.array(z.object({ ...span, note: z.string() })),
  on_call: z.array(z.object({ ...span, team_name: z.string() })),
  /** `conflict`: overlaps another appointment or an absence of the same person. */
  appointments: z.array(AppointmentItem.shape.extend({ conflict: z.boolean() })),
});
type BoardPerson = z.infer<typeof BoardPerson>;

const MOST_PEOPLE = 200;
const MOST_APPOINTMENTS = 2000;
/** A week plus the hour that is repeated when clocks go back. */
const LONGEST_SECONDS = 8 * 86_400;

export interface BoardQuery {
  readonly from: Timestamp;
  readonly until: Timestamp;
  readonly team_id?: number | undefined;
}

/** Returns the board between two instants. @throws invalid() for more than eight days */
export async function readBoard(ctx: Context, { from, until, team_id }: BoardQuery): Promise<BoardPerson[]> {
  const length = secondsBetween(from, until);
  if (length <= 0 || length > LONGEST_SECONDS) throw invalid('until must be after from, by at most 8 days');
  const people = await readPeople(ctx, team_id);
  const user_ids = people.map((each) => each.user_id);
  const [calendarOf, absences, rotas, found] = await Promise.all([
    readCalendars(ctx, user_ids),
    readAbsencesBetween(ctx, user_ids, from, until),
    readRotas(ctx, from, until),
    ctx.db.find(Appointment, {
      where: {
        user_id: In(user_ids),
        starts_at: LessThan(until),
        ends_at: MoreThan(from),
      },
      order: { starts_at: 'ASC', appointment_id: 'ASC' },
      take: MOST_APPOINTMENTS,
    }),
  ]);
  const spans = await readOpenSpans(ctx, [...new Set(calendarOf.values())], from, until);
  const shown = await show(ctx, AppointmentItem, found);
  return people.map(({ user_id, name }) => {
    const away = absences.filter((each) => each.user_id === user_id);
    const own = shown.filter((each) => each.user_id === user_id);
    const busy = [...away, ...own];
    return {
      user_id,
      name,
      working: spans.get(calendarOf.get(user_id) ?? null) ?? null,
      absences: away.map(({ starts_at, ends_at, note }) => ({ starts_at, ends_at, note })),
      on_call: rotas.flatMap(({ team_name, shifts }) =>
        shifts
          .filter((each) => each.user_id === user_id)
          .map(({ starts_at, ends_at }) => ({ starts_at, ends_at, team_name })),
      ),
      appointments: own.map((each) => ({
        ...each,
        conflict: busy.some((other) => other !== each && meet(each, other)),
      })),
    };
  });
}

async function readPeople({ db }: Context, team_id: number | undefined) {
  const members = team_id === undefined ? undefined : await db.findBy(TeamMember, { team_id });
  const which = members && { user_id: In(members.map((each) => each.user_id)) };
  const where = { active: true, deleted_at: IsNull(), ...which };
  return db.find(Technician, { where, order: { name: 'ASC', user_id: 'ASC' }, take: MOST_PEOPLE });
}

interface UnplannedQuery {
  readonly page: number;
  readonly size: number;
  readonly search?: Parameters<typeof pageOf<typeof TicketItem>>[2]['search'];
  readonly team_id?: number | 'none' | undefined;
}

/** Returns unresolved tickets without an upcoming appointment, most urgent first. */
export function pageUnplanned(ctx: Context, query: UnplannedQuery) {
  const now = toDatabase(ctx.now);
  const since = toDatabase(plus(ctx.now, { days: -MOST_DAYS }));
  const planned = sql`SELECT appointment.ticket_id FROM appointment WHERE appointment.ticket_id IS NOT NULL
    AND appointment.starts_at > ${since} AND appointment.ends_at > ${now}`;
  const asked = { ...query, status: 'unresolved', sort: 'priority', order: 'asc' } as const;
  return pageOf(ctx, TicketItem, asked, { where: [sql`ticket.ticket_id NOT IN (${planned})`] });
}
