import { event, z } from '@keelson/core';

/** Emitted when a ticket without an assignee is assigned to a team. */
export const TeamTicketWaiting = event('teams.waiting', z.object({ ticket_id: z.int(), team_id: z.int() }));

/** Emitted when a team gets a ticket, or when the priority of one of its tickets changes. */
export const TeamTicketRanked = event('teams.ranked', z.object({ ticket_id: z.int() }));

/** The technicians to notify about a ticket, and the cause. */
const notice = z.object({ ticket_id: z.int(), user_ids: z.array(z.int()), author_name: z.string() });

/** Emitted when the customer replies to a ticket whose assignee is absent; `user_ids` are the other team members. */
export const TeamTicketAnswered = event('teams.answered', notice);

/** Emitted when a step of an escalation chain runs. */
export const TeamEscalated = event('teams.escalated', notice);

/** Emitted when a step must be posted to the team's channel. */
export const TeamChannelDue = event('teams.channel-due', z.object({ escalation_id: z.int(), step_id: z.int() }));

/** Emitted when a technician must get a text message about an escalation. */
export const TeamTextDue = event('teams.text-due', z.object({ escalation_id: z.int(), user_id: z.int() }));

export default [TeamTicketWaiting, TeamTicketRanked, TeamTicketAnswered, TeamEscalated, TeamChannelDue, TeamTextDue];
