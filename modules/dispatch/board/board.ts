// The dispatch board: technicians with their working hours, absences and appointments.
import {
  In,
  invalid,
  IsNull,
  LessThan,
  listed,
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
import { meet, readCalendars, readLeavers } from './people.ts';

const span = { starts_at: z.iso.datetime(), ends_at: z.iso.datetime() };

export const BoardPerson = z.object({
  user_id: z.int(),
  name: z.string(),
  /** False for people who have left and still have appointments. */
  active: z.boolean(),
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
  const people = await readPeople(ctx, { from, until, team_id });
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
  return people.map(({ user_id, name, active, deleted_at }) => {
    const away = absences.filter((each) => each.user_id === user_id);
    const own = shown.filter((each) => each.user_id === user_id);
    const busy = [...away, ...own];
    return {
      user_id,
      name,
      active: active && deleted_at === null,
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

/** Returns the active technicians, or those of a team, and after them those whose appointments need someone else. */
async function readPeople(ctx: Context, { from, until, team_id }: BoardQuery) {
  const members = team_id === undefined ? undefined : await ctx.db.findBy(TeamMember, { team_id });
  const ids = members && new Set(members.map((each) => each.user_id));
  const where = { active: true, deleted_at: IsNull(), ...(ids && { user_id: In([...ids]) }) };
  const order = { name: 'ASC', user_id: 'ASC' } as const;
  const people = await ctx.db.find(Technician, { where, order, take: MOST_PEOPLE });
  const leavers = await readLeavers(ctx, from, until);
  return [...people, ...leavers.filter((each) => !ids || ids.has(each.user_id))];
}

interface UnplannedQuery {
  readonly page: number;
  readonly size: number;
  readonly search?: Parameters<typeof pageOf<typeof TicketItem>>[2]['search'];
  readonly team_id?: number | 'none' | undefined;
}

/** Returns unresolved tickets without an upcoming appointment of an active technician, most urgent first. */
export async function pageUnplanned(ctx: Context, query: UnplannedQuery) {
  const now = toDatabase(ctx.now);
  const since = toDatabase(plus(ctx.now, { days: -MOST_DAYS }));
  const leavers = (await readLeavers(ctx, ctx.now)).map(({ user_id }) => user_id);
  const kept = leavers.length === 0 ? sql`` : sql` AND appointment.user_id NOT IN ${listed(leavers)}`;
  const planned = sql`SELECT appointment.ticket_id FROM appointment WHERE appointment.ticket_id IS NOT NULL
    AND appointment.starts_at > ${since} AND appointment.ends_at > ${now}${kept}`;
  const asked = { ...query, status: 'unresolved', sort: 'priority', order: 'asc' } as const;
  return pageOf(ctx, TicketItem, asked, { where: [sql`ticket.ticket_id NOT IN (${planned})`] });
}
