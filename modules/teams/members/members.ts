// Team members and their skills.
import {
  by,
  change,
  create,
  In,
  invalid,
  IsNull,
  record,
  view,
  z,
  type Context,
  type Given,
  type Wanted,
} from '@keelson/core';
import { Technician, TechnicianNames } from '@keelson/modules/directory';
import { readAbsent } from '../absences/absent.ts';
import { TeamNames } from '../names.ts';
import { Team } from '../teams/entities.ts';
import { TeamMember } from './entities.ts';

export const Members = record(TeamMember, {
  title: 'Member',
  logTitle: 'Team member',
  call: ({ user_id, team_id }) => `${user_id} of team ${team_id}`,
  log: {
    names: { user_id: TechnicianNames, team_id: TeamNames },
    describe: (action, _row, nameOf) => {
      const [name, team] = [nameOf('user_id'), nameOf('team_id')];
      if (action === 'create') return `${name} added to team ${team}`;
      return action === 'delete'
        ? `${name} removed from team ${team}`
        : `Membership of ${name} in team ${team} changed`;
    },
  },
  filters: (its) => ({ team_id: its.is('team_id'), user_id: its.is('user_id') }),
  sorts: { member_id: by('member_id') },
  order: 'asc',
  taken: () => 'user_id is already a member of the team',
});

export const memberStates = ['available', 'absent', 'inactive'] as const;

export const MemberItem = view(Members, {
  more: (its) => ({
    team_name: its.name(TeamNames, 'team_id'),
    technician_name: its.name(TechnicianNames, 'user_id'),
    status: its.lookup(z.enum(memberStates), 'user_id', readStates, 'inactive'),
  }),
});

/**
 * Adds a technician to a team, at the end of the round-robin order.
 * @throws invalid() if the team does not exist or the technician is not active; duplicate() if they are already a
 * member
 */
export async function createMember(
  ctx: Context,
  {
    mobile,
    ...given
  }: Omit<Given<typeof Members>, 'turn' | 'mobile'> & { readonly mobile?: string | null | undefined },
) {
  const { team_id, user_id, skills } = given;
  const lockMode = { mode: 'pessimistic_write' } as const;
  const team = await ctx.db.findOne(Team, { where: { team_id, deleted_at: IsNull() }, lock: lockMode });
  if (!team) throw invalid('team_id must be an existing team');
  const known = { user_id, active: true, deleted_at: IsNull() };
  if (!(await ctx.db.existsBy(Technician, known))) throw invalid('user_id must be an active technician');
  return create(ctx, Members, { ...given, skills: inOrder(skills), mobile: mobile ?? '', turn: team.turn });
}

/** Changes a member's skills, rota position or mobile number. */
export const changeMember = (
  ctx: Context,
  member: TeamMember,
  { skills, rota_position, mobile }: MemberChanges,
): Promise<TeamMember> =>
  change(ctx, Members, member, {
    rota_position,
    ...(mobile !== undefined && { mobile: mobile ?? '' }),
    ...(skills && { skills: inOrder(skills) }),
  });

type MemberChanges = Pick<Wanted<typeof Members>, 'skills' | 'rota_position'> & {
  readonly mobile?: string | null | undefined;
};

const inOrder = (skills: readonly string[]): string[] => [...new Set(skills)].toSorted();

async function readStates(ctx: Context, ids: readonly number[]) {
  const active = new Set((await readActive(ctx, ids)).map(({ user_id }) => user_id));
  const absent = await readAbsent(ctx, ids);
  const stateOf = (id: number) => (!active.has(id) ? 'inactive' : absent.has(id) ? 'absent' : 'available');
  return { get: (id: number) => stateOf(id) } as const;
}

const readActive = ({ db }: Context, ids: readonly number[]) =>
  db.findBy(Technician, { user_id: In([...ids]), active: true, deleted_at: IsNull() });

/** Returns the team members who can work today (active and not absent), in the order in which they joined. */
export async function readAvailable(ctx: Context, team_id: number): Promise<TeamMember[]> {
  const members = await ctx.db.find(TeamMember, { where: { team_id }, order: { member_id: 'ASC' } });
  if (members.length === 0) return [];
  const states = await readStates(
    ctx,
    members.map(({ user_id }) => user_id),
  );
  return members.filter(({ user_id }) => states.get(user_id) === 'available');
}

/** Returns whether a technician can work today. */
export const isAvailable = async (ctx: Context, user_id: number): Promise<boolean> =>
  (await readStates(ctx, [user_id])).get(user_id) === 'available';

/** Returns the ids of a technician's teams. */
export const teamsOf = async ({ db }: Context, user_id: number): Promise<number[]> =>
  (await db.find(TeamMember, { where: { user_id }, order: { member_id: 'ASC' } })).map(({ team_id }) => team_id);
