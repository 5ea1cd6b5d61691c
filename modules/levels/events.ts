import { event, eventData, IsNull, z, type Context, type EventRecord } from '@keelson/core';
import { findTicket, TicketItem, type Ticket } from '@keelson/modules/tickets';
import { LevelClock, kinds } from './clocks/entities.ts';
import { PolicyNames } from './names.ts';

/** A ticket and the clock the event is about. */
const TicketClock = TicketItem.shape.extend({
  clock: z.enum(kinds),
  policy_id: z.int().nullable(),
  policy_name: z.string(),
  target_minutes: z.int().nullable(),
  /** Percentage of the target's time that has passed. */
  percent: z.int(),
  due_at: z.iso.datetime().nullable(),
});
type TicketClock = z.infer<typeof TicketClock>;

const record: EventRecord<TicketClock> = {
  type: 'ticket',
  read: async (ctx: Context, id) => {
    const ticket = await findTicket(ctx, id);
    const order = { due_at: 'ASC' } as const;
    const clock = await ctx.db.findOne(LevelClock, { where: { ticket_id: id, met_at: IsNull() }, order });
    return clockData(ctx, ticket, clock, clock?.warned ?? 0);
  },
};

/** Emitted when a warning threshold of the policy has been reached. */
export const TicketSlaWarned = event('ticket.sla_warned', TicketClock, { webhook: 'admin', record });
/** Emitted when a target was missed. */
export const TicketSlaBreached = event('ticket.sla_breached', TicketClock, { webhook: 'admin', record });

/** Builds the data of both events. */
export async function clockData(
  ctx: Context,
  ticket: Ticket,
  clock: LevelClock | null,
  percent: number,
): Promise<TicketClock> {
  const names = await ctx.app.names.get(ctx.db, PolicyNames, clock ? [clock.policy_id] : []);
  return {
    ...(await eventData(ctx, TicketItem, ticket)),
    clock: clock?.kind ?? 'resolution',
    policy_id: clock?.policy_id ?? null,
    policy_name: names.get(clock?.policy_id ?? 0) ?? '',
    target_minutes: clock?.target_minutes ?? null,
    percent,
    due_at: clock?.due_at ?? null,
  };
}

export default [TicketSlaWarned, TicketSlaBreached];
