// The demo's teams and absences.
import { dayOf, plus, type App, type Context } from '@keelson/core';
import type { Author } from '@keelson/core/log';
import { contextOf } from '@keelson/core/system';
import { createAbsence, createMember, createOverride, createStep, createTeam } from '@keelson/modules/teams';
import type { Staff } from '../people.ts';

const inDays = ({ now }: Context, days: number) => dayOf(plus(now, { days }));

/** Adds two teams, an on-call rota and an absence by the administrator. */
export async function playTeams(app: App, { administrator, technician }: Staff): Promise<void> {
  const author: Author = { type: 'technician', id: administrator.user_id, name: administrator.name };
  await contextOf({ app, actor: undefined, author }).transaction(async (ctx: Context) => {
    const desk = await createTeam(ctx, { name: 'Service desk', assignment: 'least_loaded' });
    const network = await createTeam(ctx, {
      name: 'Network',
      assignment: 'skill',
      escalate_breached: true,
      rota_from: inDays(ctx, -7),
    });
    const [first, second] = [administrator.user_id, technician.user_id];
    for (const user_id of [first, second])
      await createMember(ctx, { team_id: desk.team_id, user_id, skills: ['printers', 'windows'] });
    await createMember(ctx, { team_id: network.team_id, user_id: first, skills: ['firewalls'], rota_position: 1 });
    await createMember(ctx, {
      team_id: network.team_id,
      user_id: second,
      skills: ['firewalls', 'wifi'],
      rota_position: 2,
    });
    const [first_day, last_day] = [inDays(ctx, 14), inDays(ctx, 25)];
    await createAbsence(ctx, { user_id: second, first_day, last_day, note: 'Holiday' });
    const { team_id } = network;
    await createStep(ctx, { team_id, after_minutes: 0, notify: 'on_call' });
    await createStep(ctx, { team_id, after_minutes: 15, notify: 'team' });
    const [starts_at, ends_at] = [plus(ctx.now, { days: 3 }), plus(ctx.now, { days: 5 })];
    await createOverride(ctx, { team_id, user_id: second, starts_at, ends_at, note: 'Swap' });
  });
}
