import { subscriber } from '@keelson/core';
import { TicketSlaBreached, TicketSlaWarned } from '@keelson/modules/levels';
import { TicketAnswered } from '@keelson/modules/tickets';
import { coverAbsent } from './absences/cover.ts';
import { assignWaiting } from './assignment/assign.ts';
import { postToChannel } from './escalation/channel.ts';
import { startEscalation } from './escalation/escalations.ts';
import { TeamChannelDue, TeamTextDue, TeamTicketRanked, TeamTicketWaiting } from './events.ts';
import { textAbout } from './sms/escalation-text.ts';

/** Seconds before each attempt; a late text message about an escalation is of no use. */
const retrySchedule: readonly number[] = [0, 15, 60, 300];

export default [
  subscriber('teams.assign', TeamTicketWaiting, (ctx, { data }) => assignWaiting(ctx, data)),
  subscriber('teams.cover', TicketAnswered, (ctx, { data }) => coverAbsent(ctx, data)),
  subscriber('teams.ranked', TeamTicketRanked, (ctx, { data }) => startEscalation(ctx, data.ticket_id, 'priority')),
  subscriber('teams.warned', TicketSlaWarned, (ctx, { data }) => startEscalation(ctx, data.ticket_id, 'sla_warned')),
  subscriber('teams.breached', TicketSlaBreached, (ctx, { data }) =>
    startEscalation(ctx, data.ticket_id, 'sla_breached'),
  ),
  subscriber('teams.channel', TeamChannelDue, (ctx, { data }) => postToChannel(ctx, data.escalation_id), {
    outside: true,
    retrySchedule,
  }),
  subscriber('teams.text', TeamTextDue, (ctx, { data }) => textAbout(ctx, data), { outside: true, retrySchedule }),
];
