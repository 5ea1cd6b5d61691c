// Hands over the open tickets of technicians whose absence has begun.
import { change, In, IsNull, LessThanOrEqual, MoreThan, MoreThanOrEqual, today, type Context } from '@keelson/core';
import { eachApart, explained } from '@keelson/core/kit';
import { assignTicket, openStatuses, Ticket } from '@keelson/modules/tickets';
import { assignByRule } from '../assignment/assign.ts';
import { isAvailable, teamsOf } from '../members/members.ts';
import { Absences } from './absences.ts';
import { Absence } from './entities.ts';

const AT_ONCE = 100;

/**
 * Hands over, each ticket in its own short transaction. While nobody is available for some, their absence is tried
 * again at the next run.
 * @throws AggregateError naming the absences and tickets that failed, once the others are done
 */
export async function handOverAll(outside: Context<undefined>): Promise<void> {
  const day = today(outside);
  const current = { first_day: LessThanOrEqual(day), last_day: MoreThanOrEqual(day) };
  const due = await outside.db.findBy(Absence, { hand_over: true, handed_over_at: IsNull(), ...current });
  await eachApart(
    due,
    ({ absence_id }) => `absence ${absence_id}`,
    (absence) => handOver(outside, absence),
  );
}

async function handOver(outside: Context<undefined>, absence: Absence): Promise<void> {
  let isDone = true;
  await eachApart(
    readOpen(outside, absence.user_id),
    ({ ticket_number }) => `ticket ${ticket_number}`,
    async ({ ticket_id }) => {
      const found = await outside.transaction((ctx) => handOverOne(ctx, absence, ticket_id));
      isDone &&= found;
    },
  );
  if (!isDone) return;
  await outside.transaction(async (ctx) => {
    const now = await ctx.db.findOne(Absence, { where: sameAs(ctx, absence), lock: { mode: 'pessimistic_write' } });
    if (now) await change(ctx, Absences, now, { handed_over_at: ctx.now });
  });
}

/** Finds an absence only while it is current, and nobody has changed since who takes over and when. */
const sameAs = (ctx: Context, { absence_id, first_day, substitute_user_id }: Absence) => ({
  ...{ absence_id, first_day, last_day: MoreThanOrEqual(today(ctx)), hand_over: true },
  substitute_user_id: substitute_user_id ?? IsNull(),
});

const open = { status: In(openStatuses), deleted_at: IsNull() } as const;

async function* readOpen({ db }: Context, user_id: number): AsyncGenerator<Ticket> {
  for (let after = 0; ;) {
    const where = { assigned_to: user_id, ticket_id: MoreThan(after), ...open };
    const some = await db.find(Ticket, { where, order: { ticket_id: 'ASC' }, take: AT_ONCE });
    yield* some;
    if (some.length < AT_ONCE) return;
    after = some.at(-1)?.ticket_id ?? after;
  }
}

/** Assigns a ticket to the substitute, or else by the rule of a team, and returns whether anyone was available. */
async function handOverOne(ctx: Context, absence: Absence, ticket_id: number): Promise<boolean> {
  const { user_id, substitute_user_id } = absence;
  const lock = { mode: 'pessimistic_write' } as const;
  const ticket = await ctx.db.findOne(Ticket, { where: { ticket_id, assigned_to: user_id, ...open }, lock });
  if (!ticket || !(await ctx.db.existsBy(Absence, sameAs(ctx, absence)))) return true;
  if (substitute_user_id !== null && (await isAvailable(ctx, substitute_user_id))) {
    await assignTicket(ctx, ticket, substitute_user_id, explained('as substitute during an absence'));
    return true;
  }
  for (const team_id of ticket.team_id === null ? await teamsOf(ctx, user_id) : [ticket.team_id])
    if (await assignByRule(ctx, ticket, team_id)) return true;
  return false;
}
