// On-call overrides.
import {
  by,
  create,
  invalid,
  IsNull,
  param,
  record,
  sql,
  toDatabase,
  view,
  type Context,
  type Given,
} from '@keelson/core';
import { Technician, TechnicianNames } from '@keelson/modules/directory';
import { TeamNames } from '../names.ts';
import { Team } from '../teams/entities.ts';
import { RotaOverride } from './entities.ts';

export const Overrides = record(RotaOverride, {
  title: 'Override',
  logTitle: 'On-call override',
  call: ({ team_id, starts_at, ends_at }) => `of team ${team_id} from ${starts_at} to ${ends_at}`,
  log: {
    names: { user_id: TechnicianNames, team_id: TeamNames },
    describe: (action, _row, nameOf) =>
      `On-call override of team ${nameOf('team_id')} for ${nameOf('user_id')} ${action}d`,
  },
  filters: (its) => ({
    team_id: its.is('team_id'),
    past: its.by(param.flag(), ({ now }, past) =>
      past ? sql`rota_override.ends_at <= ${toDatabase(now)}` : sql`rota_override.ends_at > ${toDatabase(now)}`,
    ),
  }),
  sorts: { starts_at: by('starts_at') },
  async prepare({ db }, { team_id, user_id, starts_at, ends_at }, before) {
    if (ends_at <= starts_at) throw invalid('ends_at must be after starts_at');
    if (
      user_id !== before?.user_id &&
      !(await db.existsBy(Technician, { user_id, active: true, deleted_at: IsNull() }))
    )
      throw invalid('user_id must be an active technician');
    if (before) return;
    const lock = { mode: 'pessimistic_write' } as const;
    if (!(await db.findOne(Team, { where: { team_id, deleted_at: IsNull() }, lock })))
      throw invalid('team_id must be an existing team');
  },
});

export const OverrideItem = view(Overrides, {
  more: (its) => ({
    team_name: its.name(TeamNames, 'team_id'),
    technician_name: its.name(TechnicianNames, 'user_id'),
  }),
});

/**
 * Puts a technician on call for a period.
 * @throws invalid() naming the field
 */
export const createOverride = (ctx: Context, given: Given<typeof Overrides>): Promise<RotaOverride> =>
  create(ctx, Overrides, given);
