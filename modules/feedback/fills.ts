import { In, type Context } from '@keelson/core';
import { fill } from '@keelson/core/plugin';
import { Ticket, TicketSurveys } from '@keelson/modules/tickets';
import { ratingLink } from './link.ts';
import { AskForRatings } from './settings.ts';

export default [fill(TicketSurveys, readSurveys)];

/** Returns the URLs of the rating pages of closed tickets. */
async function readSurveys(ctx: Context, ticket_id: readonly number[]) {
  if (!(await ctx.app.settings.get(ctx, AskForRatings))) return new Map<number, string>();
  const tickets = await ctx.db.findBy(Ticket, { ticket_id: In([...ticket_id]) });
  return new Map(
    tickets.flatMap(({ ticket_id, requester_employee_number: employee_number, closed_at }) =>
      employee_number === null || closed_at === null
        ? []
        : [[ticket_id, ratingLink(ctx.app, { ticket_id, employee_number, closed_at })] as const],
    ),
  );
}
