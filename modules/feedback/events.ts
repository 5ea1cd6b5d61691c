import { event, eventData, z, type Context, type EventRecord } from '@keelson/core';
import { EmployeeNames } from '@keelson/modules/directory';
import { findTicket, TicketItem, type Ticket } from '@keelson/modules/tickets';
import { scores, TicketRating } from './entities.ts';

/** A ticket and its rating. */
const RatedTicket = TicketItem.shape.extend({
  score: z.enum(scores).nullable(),
  rating_comment: z.string(),
  rated_by: z.string(),
  rated_at: z.iso.datetime().nullable(),
});
type RatedTicket = z.infer<typeof RatedTicket>;

const record: EventRecord<RatedTicket> = {
  type: 'ticket',
  read: async (ctx: Context, id) => {
    const ticket = await findTicket(ctx, id);
    const order = { rated_at: 'DESC' } as const;
    return ratedTicket(ctx, ticket, await ctx.db.findOne(TicketRating, { where: { ticket_id: id }, order }));
  },
};

/** Emitted once for each rated closing. */
export const TicketRated = event('ticket.rated', RatedTicket, { webhook: 'admin', record });
/** Emitted once when a rating gets a comment, together with the rating or later. */
export const TicketRatingCommented = event('ticket.rating_commented', RatedTicket, { webhook: 'admin', record });

/** Builds the data of both events. */
export async function ratedTicket(ctx: Context, ticket: Ticket, rating: TicketRating | null): Promise<RatedTicket> {
  const person = rating?.employee_number ?? 0;
  const names = await ctx.app.names.get(ctx.db, EmployeeNames, rating ? [person] : []);
  return {
    ...(await eventData(ctx, TicketItem, ticket)),
    score: rating?.score ?? null,
    rating_comment: rating?.comment ?? '',
    rated_by: names.get(person) ?? '',
    rated_at: rating?.rated_at ?? null,
  };
}

export default [TicketRated, TicketRatingCommented];
