// Technicians' calendars, and whether their times overlap.
import { In, IsNull, Not, plus, sql, toDatabase, type Context, type Row, type Timestamp } from '@keelson/core';
import { Technician } from '@keelson/modules/directory';
import { Team, TeamMember } from '@keelson/modules/teams';
import { MOST_DAYS } from '../appointments/appointments.ts';

interface Span {
  readonly starts_at: Timestamp;
  readonly ends_at: Timestamp;
}

/** Returns whether two spans overlap. */
export const meet = (one: Span, other: Span) => one.starts_at < other.ends_at && other.starts_at < one.ends_at;

/** Returns the calendar of each person's first team that has one; null for the default one. */
export async function readCalendars({ db }: Context, ids: readonly number[]): Promise<Map<number, number | null>> {
  const members = await db.find(TeamMember, { where: { user_id: In([...ids]) }, order: { member_id: 'ASC' } });
  const team_id = In([...new Set(members.map((each) => each.team_id))]);
  const teams = await db.findBy(Team, { team_id, deleted_at: IsNull() });
  const calendars = new Map(teams.map((each) => [each.team_id, each.calendar_id]));
  return new Map(
    ids.map((id) => {
      const own = members.filter((each) => each.user_id === id);
      return [id, own.map((each) => calendars.get(each.team_id) ?? null).find((each) => each !== null) ?? null];
    }),
  );
}

/** Returns the technicians who have left and still have appointments that overlap a time span or follow an instant. */
export async function readLeavers(
  { db }: Context,
  from: Timestamp,
  until?: Timestamp,
): Promise<Row<typeof Technician>[]> {
  const before = until === undefined ? sql`` : sql` AND starts_at < ${toDatabase(until)}`;
  const rows = await db.query<{ user_id: number }>(sql`SELECT DISTINCT user_id FROM appointment
    WHERE starts_at > ${toDatabase(plus(from, { days: -MOST_DAYS }))} AND ends_at > ${toDatabase(from)}${before}`);
  const user_id = In(rows.map((each) => Number(each.user_id)));
  const where = [
    { user_id, active: false },
    { user_id, deleted_at: Not(IsNull()) },
  ];
  return db.find(Technician, { where, order: { name: 'ASC', user_id: 'ASC' } });
}
