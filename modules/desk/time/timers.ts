// Timers: time on a ticket, measured by the server, so that a technician can switch devices.
import { conflict, input, noun, notFound, secondsBetween, view, z, In, IsNull, type Context } from '@keelson/core';
import { CompanyNames } from '@keelson/modules/directory';
import { findTicket, logTime, Ticket, type TicketTimeEntry } from '@keelson/modules/tickets';
import type { Desk } from '../access.ts';
import { Timer } from '../entities.ts';
import { announceOwn } from '../own/announce-own.ts';
import { readRounding, rounded } from './time-rounding.ts';

/** Maximum per person. */
const MOST_TIMERS = 20;
/** The longest time entry, in minutes. */
const A_DAY = 1440;

const TimedTicket = z.object({ ticket_number: z.int(), subject: z.string(), company_name: z.string() });

const Rounding = z.object({ step_minutes: z.int(), least_minutes: z.int() });

export const TimerItem = view(noun(Timer, { title: 'Timer' }), {
  except: ['user_id'],
  more: (its) => ({
    running: its.from(z.boolean(), ['started_at'], ({ started_at }) => started_at !== null),
    /** For displaying what stopping the timer would log. */
    rounding: its.lookup(Rounding, 'ticket_id', readRoundings, { step_minutes: 1, least_minutes: 1 }),
    ticket: its.lookup(TimedTicket.nullable(), 'ticket_id', readTimedTickets, null),
  }),
});

export const stopFields = z.object({
  /** Overrides the measured time. */
  duration_minutes: input.optional(input.int(1, A_DAY)),
  description: input.optionalLongText(),
  billable: input.optional(input.flag()),
});

/** Lists the caller's timers, the running one first. */
export async function listTimers({ db, actor: { user_id } }: Desk): Promise<Timer[]> {
  const all = await db.find(Timer, { where: { user_id }, order: { timer_id: 'DESC' } });
  return all.toSorted((a, b) => Number(b.running_of !== null) - Number(a.running_of !== null));
}

/**
 * Starts or resumes the caller's timer for a ticket, and pauses any other.
 * @throws notFound() for the ticket; conflict() when there are too many timers
 */
export async function startTimer(ctx: Desk, ticket_id: number): Promise<{ row: Timer; added: boolean }> {
  const { user_id } = ctx.actor;
  await findTicket(ctx, ticket_id);
  const own = await ctx.db.find(Timer, { where: { user_id }, lock: { mode: 'pessimistic_write' } });
  const known = own.find((each) => each.ticket_id === ticket_id);
  if (known) return { row: await goOn(ctx, known, own), added: false };
  if (own.length >= MOST_TIMERS) throw conflict(`Limit of ${MOST_TIMERS} timers reached: stop some first`);
  await pauseOthers(ctx, own);
  const row = { user_id, ticket_id, running_of: user_id, started_at: ctx.now, seconds: 0, created_at: ctx.now };
  const timer_id = await ctx.db.insertReturningId(Timer, row);
  announceOwn(ctx, Timer, user_id);
  return { row: { ...row, timer_id }, added: true };
}

/** Locks one of the caller's timers. @throws notFound() */
export async function lockTimer({ db, actor: { user_id } }: Desk, timer_id: number): Promise<Timer> {
  const timer = await db.findOne(Timer, { where: { timer_id, user_id }, lock: { mode: 'pessimistic_write' } });
  if (!timer) throw notFound('Timer');
  return timer;
}

/** Resumes a timer, and pauses any other. */
export async function resumeTimer(ctx: Desk, timer: Timer): Promise<Timer> {
  return goOn(
    ctx,
    timer,
    await ctx.db.find(Timer, { where: { user_id: timer.user_id }, lock: { mode: 'pessimistic_write' } }),
  );
}

export async function pauseTimer(ctx: Context, timer: Timer): Promise<Timer> {
  if (timer.started_at === null) return timer;
  const paused = { running_of: null, started_at: null, seconds: secondsOf(ctx, timer) };
  await ctx.db.update(Timer, { timer_id: timer.timer_id }, paused);
  announceOwn(ctx, Timer, timer.user_id);
  return { ...timer, ...paused };
}

/**
 * Stops a timer and logs its time on the ticket, rounded as configured (NW-21).
 * @throws notFound() for a ticket that was deleted in the meantime; conflict() when the time is implausibly long
 */
export async function stopTimer(
  ctx: Desk,
  timer: Timer,
  { duration_minutes, ...said }: z.output<typeof stopFields>,
): Promise<TicketTimeEntry> {
  const ticket = await findTicket(ctx, timer.ticket_id);
  const minutes = duration_minutes ?? rounded(secondsOf(ctx, timer), await readRounding(ctx));
  if (minutes > A_DAY) throw conflict('The timer ran for more than a day: set duration_minutes');
  const entry = await logTime(ctx, ticket, { ...said, duration_minutes: minutes });
  await discardTimer(ctx, timer);
  return entry;
}

/** Discards a timer without logging its time. */
export async function discardTimer(ctx: Context, { timer_id, user_id }: Timer): Promise<void> {
  await ctx.db.delete(Timer, { timer_id });
  announceOwn(ctx, Timer, user_id);
}

async function goOn(ctx: Context, timer: Timer, own: readonly Timer[]): Promise<Timer> {
  if (timer.started_at !== null) return timer;
  await pauseOthers(ctx, own);
  const running = { running_of: timer.user_id, started_at: ctx.now };
  await ctx.db.update(Timer, { timer_id: timer.timer_id }, running);
  announceOwn(ctx, Timer, timer.user_id);
  return { ...timer, ...running };
}

async function pauseOthers(ctx: Context, own: readonly Timer[]): Promise<void> {
  for (const each of own) if (each.started_at !== null) await pauseTimer(ctx, each);
}

function secondsOf({ now }: Context, { seconds, started_at }: Timer): number {
  return seconds + (started_at === null ? 0 : Math.max(0, Math.floor(secondsBetween(started_at, now))));
}

async function readRoundings(ctx: Context, ids: readonly number[]) {
  const rounding = await readRounding(ctx);
  return new Map(ids.map((id) => [id, rounding] as const));
}

async function readTimedTickets({ app, db }: Context, ids: readonly number[]) {
  const tickets = await db.findBy(Ticket, { ticket_id: In(ids), deleted_at: IsNull() });
  const names = await app.names.get(
    db,
    CompanyNames,
    tickets.map((each) => each.company_number),
  );
  return new Map(
    tickets.map(({ ticket_id, ticket_number, subject, company_number }) => {
      return [ticket_id, { ticket_number, subject, company_name: names.get(company_number) ?? '' }] as const;
    }),
  );
}
