// Dashboard figures (F-44, T-24, T-25), read from counters and from index ranges bounded by a week, a month or a few
// people. Cost does not grow with the number of tickets.
import { listed, sql, toDatabase, today, type Context, type EmployeeActor, type Sql } from '@keelson/core';
import { mondayOf } from '@keelson/core/kit';
import { readCount, readCounts } from '@keelson/core/list';
import { startOfDay } from '@keelson/core/plugin';
import { teamOf } from '@keelson/modules/directory';
import { ClosedCount, openStatuses, PendingCount, RequesterCount, TicketCount } from '../entities.ts';
import { countLate, countSince, firstDay, readResolution, summary, type Resolution } from './periods.ts';
import { inTime, openFor } from './resolution.ts';

/** Returns the administrative dashboard's figures, over all tickets. */
export async function readFigures(ctx: Context) {
  const { day, week } = startsOf(ctx);
  return {
    ...workload(await readCounts(ctx.db, TicketCount, 'priority', { status: openStatuses })),
    ...(await countSince(ctx, TicketCount, { tickets_today: day, tickets_this_week: week }, {})),
    ...summary(await readResolution(ctx, {}, sql`1 = 1`)),
  };
}

/**
 * Returns figures for the signed-in person: an IT admin's company, or else their own and their team's tickets.
 */
export function readOwnFigures(ctx: Context<EmployeeActor>) {
  return ctx.actor.it_privileges ? readCompanys(ctx) : readPeoples(ctx);
}

async function readCompanys(ctx: Context<EmployeeActor>) {
  const { company_number } = ctx.actor;
  return {
    ...workload(await readCounts(ctx.db, TicketCount, 'priority', { company_number, status: openStatuses })),
    ...(await countCreated(ctx, sql`ticket.company_number = ${company_number}`)),
    ...summary(await readResolution(ctx, { company_number }, sql`ticket.company_number = ${company_number}`)),
    pending_approvals: await readCount(ctx.db, PendingCount, { company_number }),
    ...(await countSince(ctx, ClosedCount, { closed_this_month: startsOf(ctx).month }, { company_number })),
  };
}

async function readPeoples(ctx: Context<EmployeeActor>) {
  const { company_number } = ctx.actor;
  const people = await readPeople(ctx);
  const open = { requester_employee_number: people, status: openStatuses };
  const theirs = sql`ticket.requester_employee_number IN ${listed(people)}`;
  const pending = { company_number, requester_employee_number: people };
  return {
    ...workload(await readCounts(ctx.db, RequesterCount, 'priority', open)),
    ...(await countCreated(ctx, theirs)),
    ...(await readClosed(ctx, theirs)),
    pending_approvals: await readCount(ctx.db, PendingCount, pending),
  };
}

/** Returns the person and their team. */
async function readPeople({ actor, db }: Context<EmployeeActor>): Promise<number[]> {
  const team = await db.query<{ employee_number: number }>(
    sql`SELECT employee_number FROM ${teamOf(actor.employee_number)} AS team`,
  );
  return [...new Set([actor.employee_number, ...team.map((each) => each.employee_number)])];
}

function workload(open: ReadonlyMap<string, number>) {
  const all = [...open.values()].reduce((sum, n) => sum + n, 0);
  return { open_tickets: all, high_priority: (open.get('1') ?? 0) + (open.get('2') ?? 0) };
}

/** Returns the start of today, this week and this month (V-07). */
function startsOf(ctx: Context) {
  const day = today(ctx);
  const week = startOfDay(ctx, mondayOf(day));
  return { day: startOfDay(ctx, day), week, month: startOfDay(ctx, `${day.slice(0, 7)}-01`) };
}

async function countCreated(ctx: Context, whose: Sql) {
  const { day, week } = startsOf(ctx);
  const [created] = await ctx.db.query<{ today: unknown; week: unknown }>(
    sql`SELECT COUNT(*) AS week, SUM(ticket.created_at >= ${toDatabase(day)}) AS today FROM ticket
      WHERE ${whose} AND ticket.created_at >= ${toDatabase(week)} AND ticket.deleted_at IS NULL`,
  );
  return { tickets_today: Number(created?.today ?? 0), tickets_this_week: Number(created?.week ?? 0) };
}

/** Reads closed tickets through the requester index; a few people close few tickets in a month. */
async function readClosed(ctx: Context<EmployeeActor>, whose: Sql) {
  const { dialect } = ctx.app.database;
  const [month, window] = [toDatabase(startsOf(ctx).month), toDatabase(`${firstDay(ctx)}T00:00:00.000Z`)];
  const recent = sql`ticket.closed_at >= ${window}`;
  const valueOf = ({ sql: texts }: typeof inTime): Sql => ({ text: `(${texts[dialect]})`, params: [] });
  const [closed] = await ctx.db.query<Record<keyof Resolution | 'closed_this_month', unknown>>(
    sql`SELECT SUM(ticket.closed_at >= ${month}) AS closed_this_month, SUM(${recent}) AS closed,
      SUM(CASE WHEN ${recent} THEN ${valueOf(inTime)} ELSE 0 END) AS in_time,
      SUM(CASE WHEN ${recent} THEN ${valueOf(openFor)} ELSE 0 END) AS open_ms FROM ticket
      WHERE ${whose} AND ticket.closed_at >= ${month < window ? month : window} AND ticket.deleted_at IS NULL`,
  );
  const numberOf = (value: unknown) => Number(value ?? 0);
  return {
    ...summary({
      closed: numberOf(closed?.closed),
      late: await countLate(ctx, whose),
      in_time: numberOf(closed?.in_time),
      open_ms: numberOf(closed?.open_ms),
    }),
    closed_this_month: numberOf(closed?.closed_this_month),
  };
}
