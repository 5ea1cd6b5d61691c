import { input, invalid, z, type Context } from '@keelson/core';
import { workflowAction } from '@keelson/core/plugin';
import { lockTicket, WriteTickets } from '@keelson/modules/tickets';
import { assignWaiting } from './assignment/assign.ts';
import { readSteps, startEscalation } from './escalation/escalations.ts';

/**
 * Locks and returns a ticket with its team.
 * @throws invalid() if it has none
 */
async function lockTeamTicket(ctx: Context, ticket_id: number) {
  const ticket = await lockTicket(ctx, ticket_id);
  const { team_id, ticket_number } = ticket;
  if (team_id === null) throw invalid(`Ticket ${ticket_number} has no team`);
  return { ...ticket, team_id };
}

export default [
  workflowAction('teams.assign', {
    title: 'Assign by the team’s rule',
    access: WriteTickets,
    needs: ['ticket_id'],
    input: z.object({
      reassign: input.optional(input.flag()).meta({ title: 'Even if the ticket has an assignee' }),
    }),
    run: async (ctx, { input: { reassign = false }, record }) =>
      assignWaiting(ctx, await lockTeamTicket(ctx, Number(record['ticket_id'])), { reassign }),
  }),
  workflowAction('teams.escalate', {
    title: 'Start the team’s escalation',
    access: WriteTickets,
    needs: ['ticket_id'],
    input: z.object({}),
    async run(ctx, { record }) {
      const { ticket_id, team_id } = await lockTeamTicket(ctx, Number(record['ticket_id']));
      if ((await readSteps(ctx, team_id)).length === 0) throw invalid('The team has no escalation steps');
      await startEscalation(ctx, ticket_id, 'workflow');
    },
  }),
];
