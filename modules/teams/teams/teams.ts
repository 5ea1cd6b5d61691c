// Teams of technicians.
import {
  by,
  change,
  create,
  inUse,
  In,
  invalid,
  IsNull,
  normalised,
  param,
  record,
  remove,
  view,
  z,
  type Context,
  type Given,
  type Wanted,
} from '@keelson/core';
import { matching } from '@keelson/core/list';
import { CalendarNames, LevelCalendar } from '@keelson/modules/levels';
import { openStatuses, priorityLabels, Ticket } from '@keelson/modules/tickets';
import { sealChannel } from '../escalation/channel.ts';
import { EscalationStep } from '../escalation/entities.ts';
import { Steps } from '../escalation/steps.ts';
import { TeamMember } from '../members/entities.ts';
import { Members } from '../members/members.ts';
import { TeamNames } from '../names.ts';
import { RotaOverride } from '../rota/entities.ts';
import { Overrides } from '../rota/overrides.ts';
import { Team } from './entities.ts';
import { titles } from './fields.ts';

export const Teams = record(Team, {
  title: 'Team',
  call: ({ name }) => name,
  filters: (its) => ({ search: its.by(param.search(), (_ctx, text) => matching(text, ['team.name'])) }),
  sorts: { name: by('name') },
  order: 'asc',
  names: TeamNames,
  taken: ({ name }) => `name ${name} already exists`,
  derive: ({ name }) => ({ name_key: normalised(name) }),
  async prepare({ db }, { calendar_id }, before) {
    if (calendar_id === null || calendar_id === before?.calendar_id) return;
    const where = { calendar_id, deleted_at: IsNull() };
    const calendar = await db.findOne(LevelCalendar, { where, lock: { mode: 'pessimistic_write' } });
    if (!calendar) throw invalid('calendar_id must be an existing calendar');
  },
});

export const TeamItem = view(Teams, {
  more: (its) => ({
    calendar_name: its.name(CalendarNames, 'calendar_id'),
    rota_from: its.from(
      z.iso.date().nullable().meta({ title: titles.rota_from }),
      ['rota_from'],
      (row) => row.rota_from,
    ),
    escalate_warned: its.from(
      z.boolean().meta({ title: titles.escalate_warned }),
      ['escalate_warned'],
      (row) => row.escalate_warned,
    ),
    escalate_breached: its.from(
      z.boolean().meta({ title: titles.escalate_breached }),
      ['escalate_breached'],
      (row) => row.escalate_breached,
    ),
    escalate_priority: its.from(
      z.int().nullable().meta({ title: titles.escalate_priority, 'x-labels': priorityLabels }),
      ['escalate_priority'],
      (row) => row.escalate_priority,
    ),
    /** Whether a channel is set; its URL is never shown. */
    has_channel: its.from(
      z.boolean().meta({ title: 'Channel connected' }),
      ['channel_url'],
      ({ channel_url }) => channel_url !== null,
    ),
  }),
});

/**
 * Adds a team.
 * @throws invalid() if the channel's host is not allowed
 */
export const createTeam = (ctx: Context, { channel_url, ...given }: Given<typeof Teams>): Promise<Team> =>
  create(ctx, Teams, { ...given, channel_url: sealedChannel(ctx, channel_url) });

/**
 * Changes a team.
 * @throws invalid() if the channel's host is not allowed
 */
export const changeTeam = (ctx: Context, team: Team, { channel_url, ...wanted }: Wanted<typeof Teams>): Promise<Team> =>
  change(ctx, Teams, team, { ...wanted, channel_url: sealedChannel(ctx, channel_url) });

function sealedChannel(ctx: Context, url: string | null | undefined): string | null | undefined {
  if (url === null || url === undefined) return url;
  const problem = ctx.app.egress.check(url);
  if (problem !== undefined) throw invalid(`channel_url: ${problem}`);
  return sealChannel(ctx, url);
}

/** Deletes a team with its memberships. Closed tickets keep its name. @throws inUse() while it has open tickets */
export async function removeTeam(ctx: Context, team: Team): Promise<void> {
  const { team_id } = team;
  if (await ctx.db.existsBy(Ticket, { team_id, status: In(openStatuses), deleted_at: IsNull() }))
    throw inUse(`${team.name} still has open tickets`);
  await remove(ctx, Steps, await ctx.db.findBy(EscalationStep, { team_id }));
  await remove(ctx, Overrides, await ctx.db.findBy(RotaOverride, { team_id }));
  await remove(ctx, Members, await ctx.db.findBy(TeamMember, { team_id }));
  await remove(ctx, Teams, team);
}

/** Returns teams in the form shown on tickets. */
export async function readKnownTeams({ db }: Context, ids: readonly number[]) {
  const teams = await db.findBy(Team, { team_id: In([...ids]) });
  return new Map(teams.map(({ team_id, name, deleted_at }) => [team_id, { name, deleted: deleted_at !== null }]));
}
