// Steps of escalation chains.
import { by, create, invalid, IsNull, record, view, z, type Context, type Given } from '@keelson/core';
import { Technician, TechnicianNames } from '@keelson/modules/directory';
import { TeamNames } from '../names.ts';
import { Team } from '../teams/entities.ts';
import { EscalationStep } from './entities.ts';
import { titles } from './fields.ts';

const MOST_STEPS = 20;

export const Steps = record(EscalationStep, {
  title: 'Step',
  logTitle: 'Escalation step',
  call: ({ team_id, after_minutes }) => `of team ${team_id} after ${after_minutes} minutes`,
  log: {
    names: { team_id: TeamNames },
    describe: (action, { after_minutes }, nameOf) =>
      `Escalation step of team ${nameOf('team_id')} after ${after_minutes} minutes ${action}d`,
  },
  filters: (its) => ({ team_id: its.is('team_id') }),
  sorts: { after_minutes: by('after_minutes') },
  order: 'asc',
  async prepare({ db }, { team_id, notify, user_id }, before) {
    if ((notify === 'technician') !== (user_id !== null))
      throw invalid(
        notify === 'technician' ? 'user_id is required' : 'user_id must be empty unless notify is technician',
      );
    if (user_id !== null && user_id !== before?.user_id) {
      const known = { user_id, active: true, deleted_at: IsNull() };
      if (!(await db.existsBy(Technician, known))) throw invalid('user_id must be an active technician');
    }
    if (before) return;
    const lock = { mode: 'pessimistic_write' } as const;
    if (!(await db.findOne(Team, { where: { team_id, deleted_at: IsNull() }, lock })))
      throw invalid('team_id must be an existing team');
    if ((await db.countBy(EscalationStep, { team_id })) >= MOST_STEPS)
      throw invalid(`A team can have at most ${MOST_STEPS} steps`);
  },
});

export const StepItem = view(Steps, {
  more: (its) => ({
    team_name: its.name(TeamNames, 'team_id'),
    technician_name: its.name(TechnicianNames, 'user_id'),
    by_sms: its.from(z.boolean().meta({ title: titles.by_sms }), ['by_sms'], (row) => row.by_sms),
  }),
});

/** Adds a step to a team's chain. @throws invalid() naming the field */
export const createStep = (ctx: Context, given: Given<typeof Steps>): Promise<EscalationStep> =>
  create(ctx, Steps, given);
