import { event, z } from '@keelson/core';

/** Emitted when a ticket without an assignee is given to a team. */
export const TeamTicketWaiting = event('teams.waiting', z.object({ ticket_id: z.int(), team_id: z.int() }));

/** Emitted when the customer answers a ticket whose assignee is absent; `user_ids` are the others of the team. */
export const TeamTicketAnswered = event(
  'teams.answered',
  z.object({ ticket_id: z.int(), user_ids: z.array(z.int()), author_name: z.string() }),
);

export default [TeamTicketWaiting, TeamTicketAnswered];
