// Warns about targets that will soon be missed and announces missed ones, exactly once even with several processes.
import { announceChange, In, IsNull, LessThanOrEqual, Not, plus, type Context } from '@keelson/core';
import { batchesApart, explained } from '@keelson/core/kit';
import { Ticket } from '@keelson/modules/tickets';
import { clockData, TicketSlaBreached, TicketSlaWarned } from '../events.ts';
import { readCurrentPlans, type Plans } from '../plans.ts';
import { startReplans } from '../replan.ts';
import { LevelTicket, type LevelClock } from './entities.ts';
import { readMeasured, store } from './follow.ts';

/** How many tickets one transaction checks. */
const AT_ONCE = 25;
/** Batches per run; the next run continues. */
const MOST_BATCHES = 200;

/** Delay before a failing ticket is checked again, so that it does not hold up the others. */
const PUT_OFF = { minutes: 5 } as const;

/**
 * Checks every ticket that is due, in short transactions of a few tickets.
 * @throws AggregateError naming the tickets that failed, once the others are done
 */
export async function announceDue(outside: Context<undefined>): Promise<void> {
  await startReplans(outside);
  const { db, now } = outside;
  const order = { next_at: 'ASC', ticket_id: 'ASC' } as const;
  let batches = 0;
  await batchesApart<LevelTicket>({
    size: AT_ONCE,
    nameOf: ({ ticket_id }) => `ticket ${ticket_id}`,
    read: (failed) => {
      if (batches++ === MOST_BATCHES) return Promise.resolve([]);
      const ticket_id = Not(In(failed.map((each) => each.ticket_id)));
      return db.find(LevelTicket, { where: { next_at: LessThanOrEqual(now), ticket_id }, order, take: AT_ONCE });
    },
    work: (due) => announceSome(outside, due),
  });
}

async function announceSome(outside: Context<undefined>, due: readonly LevelTicket[]): Promise<void> {
  // Read after the tickets, so that the plans are at least as new as the change that made the tickets due.
  const plans = await readCurrentPlans(outside.db);
  try {
    await outside.transaction((ctx) => announceTickets(ctx, plans, due));
  } catch (error) {
    const [only, ...others] = due;
    if (only && others.length === 0) await putOff(outside, only.ticket_id);
    throw error;
  }
}

async function putOff(outside: Context<undefined>, ticket_id: number): Promise<void> {
  await outside.transaction((ctx) => ctx.db.update(LevelTicket, { ticket_id }, { next_at: plus(ctx.now, PUT_OFF) }));
}

interface Told {
  readonly clock: LevelClock;
  /** The percentage to announce: a warning threshold, or 100 for a breach. */
  readonly percent: number;
}

async function announceTickets(ctx: Context, plans: Plans, due: readonly LevelTicket[]): Promise<void> {
  const ids = due.map((each) => each.ticket_id);
  const found = await ctx.db.find(Ticket, {
    where: { ticket_id: In(ids), deleted_at: IsNull() },
    order: { ticket_id: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  });
  const tickets = new Map(found.map((each) => [each.ticket_id, each]));
  const measured = await readMeasured(ctx, ids);
  const current = due.flatMap(({ ticket_id, next_at }) => {
    const its = measured.get(ticket_id);
    // Another process, or a change to the ticket or its policy, may have come first. The next run checks it again.
    return its?.before.next_at === next_at ? its : [];
  });
  const gone = current.flatMap(({ ticket_id }) => (tickets.has(ticket_id) ? [] : ticket_id));
  // A ticket deleted without its record would stay due forever.
  if (gone.length > 0) await ctx.db.update(LevelTicket, { ticket_id: In(gone) }, { next_at: null });
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
  await store(ctx, plans, current, (id) => tickets.get(id), announce);
  for (const each of told) {
    const ticket = tickets.get(each.clock.ticket_id);
    if (ticket) await tell(ctx, ticket, each);
  }
  for (const ticket_id of new Set(told.map(({ clock }) => clock.ticket_id))) {
    const row = tickets.get(ticket_id);
    if (row) announceChange(ctx, { of: Ticket, row, kind: 'changed', internal: true });
  }
}

async function tell(ctx: Context, ticket: Ticket, { clock, percent }: Told): Promise<void> {
  const missed = percent === 100;
  ctx.emit(missed ? TicketSlaBreached : TicketSlaWarned, await clockData(ctx, ticket, clock, percent));
  const target = names[clock.kind];
  const { ticket_number } = ticket;
  ctx.record({
    action: 'update',
    entity_type: Ticket.name,
    entity_id: ticket.ticket_id,
    description: missed
      ? `The ${target} target of ticket ${ticket_number} was missed`
      : `${percent}% of the time for the ${target} target of ticket ${ticket_number} has passed`,
    shownOn: { of: Ticket, row: ticket },
  });
}

const names = {
  response: explained('first response'),
  next_response: explained('next response'),
  resolution: 'resolution',
};
