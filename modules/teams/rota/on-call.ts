// Who is on call now and in the coming weeks.
import { In, IsNull, LessThan, MoreThan, Not, plus, z, type Context, type Timestamp } from '@keelson/core';
import { zoneOf } from '@keelson/core/kit';
import { Technician, TechnicianNames } from '@keelson/modules/directory';
import { LevelCalendar } from '@keelson/modules/levels';
import { readAbsencesBetween } from '../absences/absent.ts';
import { TeamMember } from '../members/entities.ts';
import { Team } from '../teams/entities.ts';
import { RotaOverride } from './entities.ts';
import { shiftsBetween, type Rota, type Shift } from './shifts.ts';

const shift = {
  starts_at: z.iso.datetime(),
  ends_at: z.iso.datetime(),
  user_id: z.int().nullable(),
  technician_name: z.string().nullable(),
  override_id: z.int().nullable(),
};

export const OnCallTeam = z.object({
  team_id: z.int(),
  team_name: z.string(),
  /** The time zone of its handovers. */
  time_zone: z.string(),
  /** Who is on call now; null for no one. */
  user_id: z.int().nullable(),
  technician_name: z.string().nullable(),
  shifts: z.array(z.object(shift)),
});

/** Maximum number of overrides read per team. */
const MOST_OVERRIDES = 500;
const USUAL_WEEKS = 6;

/** Returns the teams with an on-call rota, by name, with their shifts from now on. */
export async function readOnCallTeams(
  ctx: Context,
  { weeks = USUAL_WEEKS, team_id }: { readonly weeks?: number | undefined; readonly team_id?: number | undefined },
): Promise<z.infer<typeof OnCallTeam>[]> {
  const where = { deleted_at: IsNull(), rota_from: Not(IsNull()), ...(team_id !== undefined && { team_id }) };
  const teams = await ctx.db.find(Team, { where, order: { name: 'ASC', team_id: 'ASC' } });
  const rotas = await readShifts(ctx, teams, ctx.now, plus(ctx.now, { days: 7 * weeks }));
  const ids = [...rotas.values()].flatMap(({ shifts }) => shifts.flatMap(({ user_id }) => user_id ?? []));
  const names = await ctx.app.names.get(ctx.db, TechnicianNames, [...new Set(ids)]);
  const nameOf = (user_id: number | null) => (user_id === null ? null : (names.get(user_id) ?? ''));
  return teams.flatMap((each) => {
    const rota = rotas.get(each.team_id);
    if (!rota) return [];
    const user_id = rota.shifts[0]?.user_id ?? null;
    return {
      team_id: each.team_id,
      team_name: each.name,
      time_zone: rota.time_zone,
      user_id,
      technician_name: nameOf(user_id),
      shifts: rota.shifts.map(({ from, to, ...its }) => ({
        starts_at: from,
        ends_at: to,
        technician_name: nameOf(its.user_id),
        ...its,
      })),
    };
  });
}

/** Returns who is on call in a team now; null for no one. */
export async function readOnCall(ctx: Context, team: Team): Promise<number | null> {
  const rota = (await readShifts(ctx, [team], ctx.now, plus(ctx.now, { seconds: 1 }))).get(team.team_id);
  return rota?.shifts[0]?.user_id ?? null;
}

interface Shifts {
  readonly time_zone: string;
  readonly shifts: readonly Shift[];
}

/** Returns the on-call shifts of all teams between two instants. */
export async function readRotas(ctx: Context, start: Timestamp, end: Timestamp) {
  const where = { deleted_at: IsNull(), rota_from: Not(IsNull()) };
  const teams = await ctx.db.find(Team, { where, order: { name: 'ASC', team_id: 'ASC' } });
  const rotas = await readShifts(ctx, teams, start, end);
  return teams.map(({ team_id, name: team_name }) => ({
    team_id,
    team_name,
    shifts: (rotas.get(team_id)?.shifts ?? []).map(({ from: starts_at, to: ends_at, user_id }) => ({
      ...{ starts_at, ends_at, user_id },
    })),
  }));
}

/** Reads the shifts of teams between two instants, with a fixed number of statements. */
async function readShifts(
  ctx: Context,
  teams: readonly Team[],
  start: Timestamp,
  end: Timestamp,
): Promise<Map<number, Shifts>> {
  const { db } = ctx;
  const team_id = In(teams.map((each) => each.team_id));
  if (teams.length === 0) return new Map();
  const [members, calendars, overrides] = await Promise.all([
    db.find(TeamMember, {
      where: { team_id, rota_position: Not(IsNull()) },
      order: { rota_position: 'ASC', member_id: 'ASC' },
    }),
    db.findBy(LevelCalendar, { calendar_id: In(teams.flatMap((each) => each.calendar_id ?? [])) }),
    db.find(RotaOverride, {
      where: { team_id, starts_at: LessThan(end), ends_at: MoreThan(start) },
      order: { override_id: 'DESC' },
      take: MOST_OVERRIDES,
    }),
  ]);
  const people = [...new Set([...members, ...overrides].map(({ user_id }) => user_id))];
  const working = { user_id: In(people), active: true, deleted_at: IsNull() };
  const active = new Set((await db.findBy(Technician, working)).map(({ user_id }) => user_id));
  const absences = (await readAbsencesBetween(ctx, people, start, end)).map(({ user_id, starts_at, ends_at }) => ({
    ...{ user_id, from: starts_at, to: ends_at },
  }));
  const zones = new Map(calendars.map((each) => [each.calendar_id, each.time_zone]));
  return new Map(
    teams.flatMap((team): [number, Shifts][] => {
      if (team.rota_from === null) return [];
      const time_zone = zones.get(team.calendar_id ?? 0) ?? ctx.app.zone.name;
      const rota: Rota = {
        zone: zoneOf(time_zone),
        from: team.rota_from,
        handover: team.handover_time,
        order: members
          .filter((each) => each.team_id === team.team_id && active.has(each.user_id))
          .map(({ user_id }) => user_id),
      };
      const its = overrides
        .filter((each) => each.team_id === team.team_id && active.has(each.user_id))
        .map(({ override_id, user_id, starts_at, ends_at }) => ({
          override_id,
          user_id,
          from: starts_at,
          to: ends_at,
        }));
      return [[team.team_id, { time_zone, shifts: shiftsBetween(rota, its, absences, start, end) }]];
    }),
  );
}
