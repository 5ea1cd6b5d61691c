// Warns of targets that will soon be missed, and announces those that were: once each, also with several processes.
import { announceChange, IsNull, LessThanOrEqual, plus, type Context } from '@keelson/core';
import { eachApart } from '@keelson/core/kit';
import { Ticket } from '@keelson/modules/tickets';
import { clockData, TicketSlaBreached, TicketSlaWarned } from '../events.ts';
import { readCurrentPlans, type Plans } from '../plans.ts';
import { startReplans } from '../replan.ts';
import { LevelTicket, type LevelClock } from './entities.ts';
import { readMeasured, store } from './follow.ts';

const AT_ONCE = 100;
/** Batches of one run; the next run continues. */
const MOST_BATCHES = 50;

/** A ticket that fails is looked at again after this time, so that it does not hold up those behind it. */
const PUT_OFF = { minutes: 5 } as const;

/**
 * Looks at every ticket that is due, each in its own short transaction.
 * @throws AggregateError naming the tickets that failed, after the others
 */
export async function announceDue(outside: Context<undefined>): Promise<void> {
  await startReplans(outside);
  const failed: unknown[] = [];
  const { db, now } = outside;
  const order = { next_at: 'ASC', ticket_id: 'ASC' } as const;
  for (let i = 0; i < MOST_BATCHES; i++) {
    const due = await db.find(LevelTicket, { where: { next_at: LessThanOrEqual(now) }, order, take: AT_ONCE });
    if (due.length === 0) break;
    // Read after the tickets, so that they are planned by what made them due.
    const plans = await readCurrentPlans(db);
    await eachApart(
      due,
      ({ ticket_id }) => `ticket ${ticket_id}`,
      (each) =>
        outside
          .transaction((ctx) => announceTicket(ctx, plans, each))
          .catch(async (error: unknown) => {
            await putOff(outside, each.ticket_id);
            throw error;
          }),
    ).catch((error: unknown) => failed.push(error));
    if (due.length < AT_ONCE) break;
  }
  if (failed.length > 0) throw new AggregateError(failed, failed.map(String).join('; '));
}

async function putOff(outside: Context<undefined>, ticket_id: number): Promise<void> {
  await outside.transaction((ctx) => ctx.db.update(LevelTicket, { ticket_id }, { next_at: plus(ctx.now, PUT_OFF) }));
}

interface Told {
  readonly clock: LevelClock;
  /** The share to warn of; 100 for a breach. */
  readonly percent: number;
}

async function announceTicket(ctx: Context, plans: Plans, { ticket_id, next_at }: LevelTicket): Promise<void> {
  const ticket = await ctx.db.findOne(Ticket, {
    where: { ticket_id, deleted_at: IsNull() },
    lock: { mode: 'pessimistic_write' },
  });
  const measured = (await readMeasured(ctx, [ticket_id])).get(ticket_id);
  // Another process, or a change of the ticket or its policy, may have been first. The next run looks at it again.
  if (!measured || measured.before.next_at !== next_at) return;
  if (!ticket) {
    // A ticket deleted past its record would stay due for ever.
    await ctx.db.update(LevelTicket, { ticket_id }, { next_at: null });
    return;
  }
  const told: Told[] = [];
  const announce = (clock: LevelClock, reached: number): LevelClock => {
    if (clock.breached_at !== null) {
      if (!clock.announced) told.push({ clock, percent: 100 });
      return { ...clock, announced: true };
    }
    if (clock.met_at !== null || reached <= clock.warned) return clock;
    told.push({ clock, percent: reached });
    return { ...clock, warned: reached };
  };
  await store(ctx, plans, [measured], () => ticket, announce);
  for (const each of told) await tell(ctx, ticket, each);
  if (told.length > 0) announceChange(ctx, { of: Ticket, row: ticket, kind: 'changed', internal: true });
}

async function tell(ctx: Context, ticket: Ticket, { clock, percent }: Told): Promise<void> {
  const missed = percent === 100;
  ctx.emit(missed ? TicketSlaBreached : TicketSlaWarned, await clockData(ctx, ticket, clock, percent));
  const target = `${names[clock.kind]} target of ticket ${ticket.ticket_number}`;
  ctx.record({
    action: 'update',
    entity_type: Ticket.name,
    entity_id: ticket.ticket_id,
    description: missed ? `The ${target} was missed` : `${percent}% of the time for the ${target} has passed`,
  });
}

const names = { response: 'first response', next_response: 'next response', resolution: 'resolution' } as const;
