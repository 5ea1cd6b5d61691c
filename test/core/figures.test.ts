// What a record shows of the rows that refer to it, whichever plugin keeps them.
import { choice, counterTable, figure, id, readFigures, ref, recount, table, tally, when } from '@keelson/core';
import { Company, Site } from '@keelson/modules/directory';
import { startApp, type TestApp } from '@keelson/core/testing';
import type { Context, Plugin } from '@keelson/core';
import test from 'ava';
import { foldCounter } from '../../core/list/counter-fold.ts';
import { seedCompany } from '../accounts-seed.ts';
import { seedSite } from '../tickets-seed.ts';

const Bell = table('bells_bell', {
  bell_id: id(),
  company_number: ref(Company),
  site_number: ref(Site).nullable(),
  state: choice('silent', 'ringing', 'broken'),
  deleted_at: when().nullable(),
});
// `open_tickets` stands for any figure that the record keeps a column for.
const BellCount = counterTable('bells_count', {
  of: Bell,
  dimensions: ['company_number', 'state'],
  figures: [
    figure(Company, 'open_tickets', { state: ['silent', 'ringing'] }),
    figure(Company, 'bells'),
    figure(Company, 'broken_bells', { state: 'broken' }),
  ],
});
const SiteBellCount = counterTable('bells_site_count', {
  of: Bell,
  dimensions: ['site_number'],
  figures: [figure(Site, 'bells')],
});
const bells: Plugin = {
  id: 'bells',
  title: 'Bells',
  requires: ['directory'],
  entities: [Bell],
  counters: [BellCount, SiteBellCount],
};

const names = ['bells', 'open_tickets', 'broken_bells', 'nothing'] as const;

async function hang(ctx: Context, row: { company_number: number; site_number?: number | null }, state = 'silent') {
  const bell = { site_number: null, ...row, state: Bell.columns.state.shape.parse(state), deleted_at: null };
  const after = { ...bell, bell_id: await ctx.db.insert(Bell, bell) };
  tally(ctx, Bell, undefined, after);
  return after;
}

async function storedIn(app: TestApp, company_number: number): Promise<number | undefined> {
  return (await app.app.database.one(Company, { company_number }))?.open_tickets;
}

test('figures are exact from the commit on, and stored ones follow with the fold', async (t) => {
  const app = await startApp(t, { plugins: [bells] });
  const { company_number } = await seedCompany(app);
  const { company_number: other } = await seedCompany(app);
  const { site_number } = await seedSite(app, company_number);
  const ctx = app.app.system();
  const first = await app.run((inside) => hang(inside, { company_number, site_number }));
  await app.run((inside) => hang(inside, { company_number }, 'broken'));
  await app.run((inside) => hang(inside, { company_number: other }, 'ringing'));

  for (const folded of [false, true]) {
    const of = await readFigures(ctx, Company, [company_number, other], names);
    t.deepEqual(of(company_number), { bells: 2, open_tickets: 1, broken_bells: 1, nothing: 0 });
    t.deepEqual(of(other), { bells: 1, open_tickets: 1, broken_bells: 0, nothing: 0 });
    t.deepEqual((await readFigures(ctx, Site, [site_number], ['bells']))(site_number), { bells: 1 });
    t.is(await storedIn(app, company_number), folded ? 1 : 0);
    for (const each of [BellCount, SiteBellCount]) await foldCounter(app.app.database, each, ctx.now);
  }

  await app.run(async (inside) => tally(inside, Bell, first, { ...first, state: 'broken' }));
  t.like((await readFigures(ctx, Company, [company_number], names))(company_number), {
    broken_bells: 2,
    open_tickets: 0,
  });
  await app.run(async (inside) =>
    tally(inside, Bell, { ...first, state: 'broken' }, { ...first, deleted_at: ctx.now }),
  );
  t.like((await readFigures(ctx, Company, [company_number], names))(company_number), { bells: 1, broken_bells: 1 });
  t.is((await readFigures(ctx, Site, [site_number], ['bells']))(site_number).bells, 0);
  await foldCounter(app.app.database, BellCount, ctx.now);
  t.is(await storedIn(app, company_number), 0);
  t.is(await storedIn(app, other), 1);
  t.is(await app.statements(() => readFigures(ctx, Company, [company_number, other], names)), 1);
});

test('counting afresh sets the stored figures too, of companies without a row as well', async (t) => {
  const app = await startApp(t, { plugins: [bells] });
  const { company_number } = await seedCompany(app);
  const { company_number: empty } = await seedCompany(app);
  const bell = { company_number, site_number: null, state: 'ringing' as const, deleted_at: null };
  await app.app.database.insertMany(Bell, [bell, bell, { ...bell, state: 'broken' as const }]);
  await app.app.database.update(Company, { company_number: empty }, { open_tickets: 7 });
  for (const each of [BellCount, SiteBellCount]) await recount(app.app.database, each, app.clock.now());
  t.is(await storedIn(app, company_number), 2);
  t.is(await storedIn(app, empty), 0);
  t.deepEqual((await readFigures(app.app.system(), Company, [company_number], ['bells']))(company_number), {
    bells: 3,
  });
});
