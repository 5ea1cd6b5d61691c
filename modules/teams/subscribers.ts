import { subscriber } from '@keelson/core';
import { TicketAnswered } from '@keelson/modules/tickets';
import { coverAbsent } from './absences/cover.ts';
import { assignWaiting } from './assignment/assign.ts';
import { TeamTicketWaiting } from './events.ts';

export default [
  subscriber('teams.assign', TeamTicketWaiting, (ctx, { data }) => assignWaiting(ctx, data)),
  subscriber('teams.cover', TicketAnswered, (ctx, { data }) => coverAbsent(ctx, data)),
];
