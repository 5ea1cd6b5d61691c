import { event, z } from '@keelson/core';

/** Emitted when a ticket without an assignee is given to a team. */
export const TeamTicketWaiting = event('teams.waiting', z.object({ ticket_id: z.int(), team_id: z.int() }));

/** Emitted when a ticket of a team is new there or its priority changes. */
export const TeamTicketRanked = event('teams.ranked', z.object({ ticket_id: z.int() }));

/** The technicians to notify about a ticket, and who or what caused it. */
const notice = z.object({ ticket_id: z.int(), user_ids: z.array(z.int()), author_name: z.string() });

/** Emitted when the customer answers a ticket whose assignee is absent; `user_ids` are the others of the team. */
export const TeamTicketAnswered = event('teams.answered', notice);

/** Emitted when a step of an escalation chain runs. */
export const TeamEscalated = event('teams.escalated', notice);

/** Emitted when a step is to be posted to the channel of a team. */
export const TeamChannelDue = event('teams.channel-due', z.object({ escalation_id: z.int(), step_id: z.int() }));

/** Emitted when a technician is to get a text message about an escalation. */
export const TeamTextDue = event('teams.text-due', z.object({ escalation_id: z.int(), user_id: z.int() }));

export default [TeamTicketWaiting, TeamTicketRanked, TeamTicketAnswered, TeamEscalated, TeamChannelDue, TeamTextDue];
