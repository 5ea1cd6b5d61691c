// Teams of tickets, provided by the teams module.
import { invalid, z, type Context } from '@keelson/core';
import { readSlot, slot } from '@keelson/core/plugin';

/** A team by id, with its name; null for an unknown one. Tickets keep a deleted team. */
export const KnownTeams = slot('ticket.teams', z.object({ name: z.string(), deleted: z.boolean() }).nullable(), null);

/** Returns the names of teams by id. */
export async function readTeamNames(ctx: Context, ids: readonly number[]) {
  const teamOf = await readSlot(ctx, KnownTeams, [...new Set(ids)]);
  return { get: (id: number) => teamOf(id)?.name };
}

/**
 * Checks that a ticket may be assigned to a team.
 * @throws invalid() if the team does not exist
 */
export async function checkTeam(ctx: Context, team_id: number | null | undefined): Promise<void> {
  if (team_id === null || team_id === undefined) return;
  const known = (await readSlot(ctx, KnownTeams, [team_id]))(team_id);
  if (!known || known.deleted) throw invalid('team_id must be an existing team');
}
