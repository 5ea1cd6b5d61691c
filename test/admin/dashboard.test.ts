// Dashboard figures on both surfaces, compared with a count of all tickets.
import { IsNull, sql, type Timestamp } from '@keelson/core';
import { recount } from '@keelson/core/system';
import { closeTicket, deleteTicket, findTicket, Ticket, updateTicket } from '@keelson/modules/tickets';
import { startApp, testClock, type TestApp } from '@keelson/testing';
import test from 'ava';
import { chance, seed } from '../_random.ts';
import { asEmployee, asKey, portal, seedTeam, seedTicket, staff } from '../tickets-seed.ts';

const DAY_MS = 86_400_000;
const targets: Readonly<Record<number, number>> = { 1: 4, 2: 8, 3: 24, 4: 72, 5: 120 };

test('Read dashboard metrics', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, ['reports:read']);
  const nothing = {
    open_tickets: 0,
    high_priority: 0,
    tickets_today: 0,
    tickets_this_week: 0,
    avg_resolution_hours: 0,
    sla_compliance: 100,
  };
  const empty = await send('GET', '/reports/metrics.php');
  t.deepEqual([empty.status, empty.body], [200, { success: true, data: nothing }]);
  const { company_number } = await seedTeam(app);
  app.clock.set('2026-03-01T20:00:00.000Z');
  const [late, quick] = [
    await seedTicket(app, { company_number, priority: 1 }),
    await seedTicket(app, { company_number }),
  ];
  app.clock.set('2026-03-02T01:00:00.000Z');
  for (const { ticket_id } of [late, quick])
    await app.run(async (ctx) => closeTicket(ctx, await findTicket(ctx, ticket_id)));
  await seedTicket(app, { company_number, priority: 2 });
  const figures = {
    open_tickets: 1,
    high_priority: 1,
    tickets_today: 1,
    tickets_this_week: 1,
    avg_resolution_hours: 5,
    sla_compliance: 50,
  };
  t.deepEqual((await send('GET', '/reports/metrics.php')).body.data, figures);
  t.is((await app.request('GET', `${staff}/reports/metrics.php`)).status, 401);
  t.is((await (await asKey(app, ['tickets:read']))('GET', '/reports/metrics.php')).status, 403);
});

test('Read metrics of your visible tickets', async (t) => {
  const app = await startApp(t);
  const team = await seedTeam(app, { require_approval: true });
  const { company_number, member, manager, colleague, itAdmin, stranger } = team;
  await seedTicket(app, { company_number, employee_number: colleague.employee_number, priority: 1 });
  const send = await asEmployee(app, member);
  t.is((await send('POST', '/tickets', { subject: 'Laptop', description: 'New', priority: 2 })).status, 201);
  const figures = {
    open_tickets: 1,
    high_priority: 1,
    tickets_today: 1,
    tickets_this_week: 1,
    avg_resolution_hours: 0,
    sla_compliance: 100,
    pending_approvals: 1,
    closed_this_month: 0,
  };
  const read = async (who: { email: string }) => (await (await asEmployee(app, who))('GET', '/reports/metrics')).body;
  t.deepEqual(await read(member), figures);
  t.deepEqual(await read(manager), figures, 'the team’s');
  t.deepEqual(await read(colleague), { ...figures, pending_approvals: 0 });
  const both = { open_tickets: 2, high_priority: 2, tickets_today: 2, tickets_this_week: 2 };
  t.deepEqual(await read(itAdmin), { ...figures, ...both });
  const none = { open_tickets: 0, high_priority: 0, tickets_today: 0, tickets_this_week: 0, pending_approvals: 0 };
  t.deepEqual(await read(stranger), { ...figures, ...none });
  t.is((await app.request('GET', `${portal}/reports/metrics`)).status, 401);
  await app.run((ctx) => ctx.app.switches.set(ctx.tx!, company_number, { reports: false }, ctx.now));
  t.is((await send('GET', '/reports/metrics')).status, 403);
});

for (const timeZone of ['UTC', 'America/New_York', 'Pacific/Auckland']) {
  test(`after any changes the figures match the tickets, in ${timeZone}`, async (t) => {
    t.log(`seed ${seed}`);
    // A Sunday in UTC and New York, a Monday in Auckland.
    const now = '2026-03-01T19:20:00.000Z';
    const clock = testClock('2026-01-15T00:00:00.000Z');
    const app = await startApp(t, { clock, config: { timeZone } });
    const team = await seedTeam(app, { require_approval: true });
    await changeAtRandom(app, team, Date.parse(now));
    clock.set(now);
    const member = await asEmployee(app, team.member);
    for (let i = 0; i < 3; i++) await member('POST', '/tickets', { subject: 'Laptop', description: 'New' });
    const { body } = await member('GET', '/tickets?limit=1');
    const manager = await asEmployee(app, team.manager);
    t.is((await manager('POST', `/tickets/${body.tickets[0].ticket_id}/approve`, {})).status, 200);
    await app.app.scheduler.runNow('core.fold-counters');
    await changeAtRandom(app, team, Date.parse(now), 5);
    clock.set(now);

    const integration = await asKey(app, ['reports:read']);
    const people = await Promise.all([team.itAdmin, team.manager, team.member].map((each) => asEmployee(app, each)));
    const check = async (message: string) => {
      const rows = await app.app.database.findBy(Ticket, { deleted_at: IsNull() });
      const of = (...who: { employee_number: number }[]) =>
        rows.filter((row) => who.some((each) => each.employee_number === row.requester_employee_number));
      const all = figuresOf(rows, now, timeZone);
      const { pending_approvals: _, closed_this_month: __, ...admins } = all;
      t.deepEqual((await integration('GET', '/reports/metrics.php')).body.data, admins, message);
      const companys = rows.filter((row) => row.company_number === team.company_number);
      const seen = [companys, of(team.manager, team.member), of(team.member)];
      for (const [i, send] of people.entries())
        t.deepEqual((await send('GET', '/reports/metrics')).body, figuresOf(seen[i] ?? [], now, timeZone), message);
    };
    await check('as they were written');
    await app.app.scheduler.runNow('core.fold-counters');
    await check('compacted');
    for (const counter of app.app.plugins.flatMap((plugin) => plugin.counters ?? []))
      await recount(app.app.database, counter, now);
    await check('counted anew');
    t.true((await app.fewestStatements(() => integration('GET', '/reports/metrics.php'))) <= 6);
    for (const send of people) t.true((await app.fewestStatements(() => send('GET', '/reports/metrics'))) <= 8);
  });
}

/** Creates, changes, closes, reopens and deletes tickets until `end`, most of them in the last days. */
async function changeAtRandom(app: TestApp, team: Awaited<ReturnType<typeof seedTeam>>, end: number, n = 60) {
  const { company_number, member, manager, colleague, itAdmin, stranger } = team;
  const strange = await app.app.database.query<{ company_number: number }>(
    sql`SELECT company_number FROM employee WHERE employee_number = ${stranger.employee_number}`,
  );
  const pick = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T;
  const moments = Array.from({ length: n * 3 }, () => end - chance() ** 2 * 45 * DAY_MS).toSorted((a, b) => a - b);
  const made: number[] = [];
  for (const at of moments) {
    app.clock.set(new Date(Math.round(at)).toISOString());
    const priority = 1 + Math.floor(chance() * 5);
    if (made.length === 0 || chance() < 0.4) {
      const who = pick([member, manager, colleague, itAdmin, undefined]);
      const whose =
        chance() < 0.1
          ? { company_number: strange[0]?.company_number ?? 0, employee_number: stranger.employee_number }
          : { company_number, ...(who && { employee_number: who.employee_number }) };
      made.push((await seedTicket(app, { ...whose, priority })).ticket_id);
      continue;
    }
    const ticket_id = pick(made);
    await app.run(async (ctx) => {
      const ticket = await ctx.db.findOne(Ticket, {
        where: { ticket_id, deleted_at: IsNull() },
        lock: { mode: 'pessimistic_write' },
      });
      if (!ticket) return;
      const what = chance();
      if (what < 0.5) await closeTicket(ctx, ticket);
      else if (what < 0.6) await deleteTicket(ctx, ticket);
      else if (what < 0.8) await updateTicket(ctx, ticket, { priority });
      else if (what < 0.9) await updateTicket(ctx, ticket, { status: pick(['open', 'in_progress', 'on_hold']) });
      else if (ticket.company_number === company_number)
        await updateTicket(ctx, ticket, { employee_number: pick([member, manager, colleague]).employee_number });
    });
  }
}

function figuresOf(rows: readonly Ticket[], now: Timestamp, timeZone: string) {
  const local = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  const dayOf = (at: string) => local.format(new Date(at));
  const today = dayOf(now);
  const monday = new Date(Date.parse(today) - ((new Date(today).getUTCDay() + 6) % 7) * DAY_MS)
    .toISOString()
    .slice(0, 10);
  const open = rows.filter((row) => row.status !== 'closed');
  const closed = rows.filter((row) => row.closed_at !== null);
  const first = new Date(Date.parse(now) - 29 * DAY_MS).toISOString().slice(0, 10);
  const recent = closed.filter((row) => (row.closed_at ?? '') >= first);
  const hours = recent.map((row) => (Date.parse(row.closed_at ?? '') - Date.parse(row.created_at)) / 3_600_000);
  const inTime = recent.filter((row, i) => (hours[i] ?? 0) <= (targets[row.priority] ?? 0)).length;
  const rounded = (value: number) => Math.round(value * 10) / 10;
  return {
    open_tickets: open.length,
    high_priority: open.filter((row) => row.priority <= 2).length,
    tickets_today: rows.filter((row) => dayOf(row.created_at) === today).length,
    tickets_this_week: rows.filter((row) => dayOf(row.created_at) >= monday).length,
    avg_resolution_hours: hours.length === 0 ? 0 : rounded(hours.reduce((sum, each) => sum + each, 0) / hours.length),
    sla_compliance: hours.length === 0 ? 100 : rounded((inTime / hours.length) * 100),
    pending_approvals: rows.filter((row) => row.approval_status === 'pending').length,
    closed_this_month: closed.filter((row) => dayOf(row.closed_at ?? '').startsWith(today.slice(0, 7))).length,
  };
}
