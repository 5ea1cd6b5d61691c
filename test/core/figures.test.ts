// Statistics of a record about the rows that refer to it, whichever plugin owns them.
import { choice, counterTable, statistic, id, ref, table, when, type Context } from '@keelson/core';
import { readStatistics, updateCounters } from '@keelson/core/list';
import type { Plugin } from '@keelson/core/plugin';
import { recount } from '@keelson/core/system';
import { Company, Site } from '@keelson/modules/directory';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { compactCounter } from '../../packages/list/counter/counter-compaction.ts';
import { seedCompany, seedTechnician } from '../accounts-seed.ts';
import { asKey, seedSite } from '../tickets-seed.ts';

const Bell = table('bells_bell', {
  bell_id: id(),
  company_number: ref(Company),
  site_number: ref(Site).nullable(),
  state: choice('silent', 'ringing', 'broken'),
  deleted_at: when().nullable(),
});
// `open_tickets` stands for any statistic with a column on the record.
const BellCount = counterTable('bells_count', {
  of: Bell,
  dimensions: ['company_number', 'state'],
  statistics: [
    statistic(Company, 'open_tickets', { state: ['silent', 'ringing'] }),
    statistic(Company, 'bells'),
    statistic(Company, 'broken_bells', { state: 'broken' }),
  ],
});
const SiteBellCount = counterTable('bells_site_count', {
  of: Bell,
  dimensions: ['site_number'],
  statistics: [statistic(Site, 'bells')],
});
const bells: Plugin = {
  id: 'bells',
  title: 'Bells',
  requires: ['directory'],
  entities: [Bell],
  counters: [BellCount, SiteBellCount],
};

const everything = ['companies', 'contacts', 'tickets', 'billing'].flatMap((area) => [`${area}:read`, `${area}:write`]);
const names = ['bells', 'open_tickets', 'broken_bells', 'nothing'] as const;

async function hang(ctx: Context, row: { company_number: number; site_number?: number | null }, state = 'silent') {
  const bell = { site_number: null, ...row, state: Bell.columns.state.shape.parse(state), deleted_at: null };
  const after = { ...bell, bell_id: await ctx.db.insertReturningId(Bell, bell) };
  updateCounters(ctx, Bell, undefined, after);
  return after;
}

async function storedIn(app: TestApp, company_number: number): Promise<number | undefined> {
  return (await app.app.database.findOneBy(Company, { company_number }))?.open_tickets;
}

test('statistics are exact after the commit, and stored ones follow on compaction', async (t) => {
  const app = await startApp(t, { plugins: [bells] });
  const { company_number } = await seedCompany(app);
  const { company_number: other } = await seedCompany(app);
  const { site_number } = await seedSite(app, company_number);
  const ctx = app.app.system();
  const first = await app.run((inside) => hang(inside, { company_number, site_number }));
  await app.run((inside) => hang(inside, { company_number }, 'broken'));
  await app.run((inside) => hang(inside, { company_number: other }, 'ringing'));

  for (const folded of [false, true]) {
    const of = await readStatistics(ctx, Company, [company_number, other], names);
    t.deepEqual(of(company_number), { bells: 2, open_tickets: 1, broken_bells: 1, nothing: 0 });
    t.deepEqual(of(other), { bells: 1, open_tickets: 1, broken_bells: 0, nothing: 0 });
    t.deepEqual((await readStatistics(ctx, Site, [site_number], ['bells']))(site_number), { bells: 1 });
    t.is(await storedIn(app, company_number), folded ? 1 : 0);
    for (const each of [BellCount, SiteBellCount]) await compactCounter(app.app.database, each, ctx.now);
  }

  await app.run(async (inside) => updateCounters(inside, Bell, first, { ...first, state: 'broken' }));
  t.like((await readStatistics(ctx, Company, [company_number], names))(company_number), {
    broken_bells: 2,
    open_tickets: 0,
  });
  await app.run(async (inside) =>
    updateCounters(inside, Bell, { ...first, state: 'broken' }, { ...first, deleted_at: ctx.now }),
  );
  t.like((await readStatistics(ctx, Company, [company_number], names))(company_number), { bells: 1, broken_bells: 1 });
  t.is((await readStatistics(ctx, Site, [site_number], ['bells']))(site_number).bells, 0);
  await compactCounter(app.app.database, BellCount, ctx.now);
  t.is(await storedIn(app, company_number), 0);
  t.is(await storedIn(app, other), 1);
  t.is(await app.statements(() => readStatistics(ctx, Company, [company_number, other], names)), 1);
});

test('recounting also sets stored statistics, including those of companies without rows', async (t) => {
  const app = await startApp(t, { plugins: [bells] });
  const { company_number } = await seedCompany(app);
  const { company_number: empty } = await seedCompany(app);
  const bell = { company_number, site_number: null, state: 'ringing' as const, deleted_at: null };
  await app.app.database.insert(Bell, [bell, bell, { ...bell, state: 'broken' as const }]);
  await app.app.database.update(Company, { company_number: empty }, { open_tickets: 7 });
  for (const each of [BellCount, SiteBellCount]) await recount(app.app.database, each, app.clock.now());
  t.is(await storedIn(app, company_number), 2);
  t.is(await storedIn(app, empty), 0);
  t.deepEqual((await readStatistics(app.app.system(), Company, [company_number], ['bells']))(company_number), {
    bells: 3,
  });
});

test('module counters match their tables after every kind of change', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, [...everything, 'tickets:delete']);
  const data = async (method: string, path: string, body?: unknown) => (await send(method, path, body)).body?.data;
  const { company_number } = await data('POST', '/companies.php', { customer: 'Counted' });
  const { company_number: second } = await data('POST', '/companies.php', { customer: 'Second' });
  const { site_number } = await data('POST', '/sites.php', { company_number, site_name: 'Here' });
  const { site_number: there } = await data('POST', '/sites.php', { company_number, site_name: 'There' });
  const person = { company_number, first_name: 'A', last_name: 'B', site_number };
  const { employee_number } = await data('POST', '/contacts.php', { ...person, email: 'a@example.com' });
  const { employee_number: leaver } = await data('POST', '/contacts.php', { ...person, email: 'b@example.com' });
  await data('POST', '/billing/products.php', { name: 'Backup', price: 5 });
  const { user_id } = await seedTechnician(app);
  const ticket = { company_number, employee_number, assigned_to: user_id };
  const tickets: number[] = [];
  for (const subject of ['A', 'B', 'C', 'D'])
    tickets.push((await data('POST', '/tickets.php', { ...ticket, subject })).ticket_id);
  const [first, next, third] = tickets;
  await data('PUT', `/tickets.php?id=${first}`, { assigned_to: null, employee_number: null });
  await data('PUT', `/tickets.php?id=${next}`, { status: 'closed', priority: 1 });
  await data('POST', '/bulk/tickets.php', { action: 'update_status', status: 'on_hold', ticket_ids: tickets });
  await data('DELETE', `/tickets.php?id=${third}`);
  await data('PUT', `/contacts.php?id=${employee_number}`, {
    site_number: there,
    department: 'IT',
    status: 'Inactive',
  });
  await data('DELETE', `/contacts.php?id=${leaver}`);
  await data('PUT', `/companies.php?id=${company_number}`, { status: 'inactive' });
  await data('DELETE', `/companies.php?id=${second}`);
  await data('DELETE', `/sites.php?id=${site_number}`);

  const counters = app.app.plugins.flatMap((plugin) => plugin.counters ?? []);
  const counts = async () =>
    Promise.all(
      counters.map(async ({ name: counter, totals }) => {
        const rows = await app.app.database.query({ text: `SELECT * FROM ${totals.name}`, params: [] });
        return [counter, rows.map((row) => JSON.stringify(row)).toSorted()];
      }),
    );
  for (const each of counters) await compactCounter(app.app.database, each, app.clock.now());
  const folded = await counts();
  t.is(await storedIn(app, company_number), 3);
  for (const each of counters) await recount(app.app.database, each, app.clock.now());
  t.deepEqual(folded, await counts());
  t.is(await storedIn(app, company_number), 3);
});
