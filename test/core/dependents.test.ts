import { dependent, id, ref, table, text, when } from '@keelson/core';
import { findHolders, type Plugin } from '@keelson/core/plugin';
import { Company, Site } from '@keelson/modules/directory';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { seedCompany } from '../accounts-seed.ts';
import { seedSite, seedTicket } from '../tickets-seed.ts';

const Bell = table('bells_bell', {
  bell_id: id(),
  company_number: ref(Company),
  site_number: ref(Site).nullable(),
  tone: text(20),
  deleted_at: when().nullable(),
});
const bells: Plugin = {
  id: 'bells',
  title: 'Bells',
  requires: ['directory'],
  entities: [Bell],
  dependents: [dependent(Bell, 'company_number', 'bells'), dependent(Bell, 'site_number', 'bells')],
};

test('dependents are reported once across all plugins, with one statement', async (t) => {
  const app = await startApp(t, { plugins: [bells] });
  const { company_number } = await seedCompany(app);
  const { company_number: other } = await seedCompany(app);
  const ctx = app.app.system();
  t.deepEqual(await findHolders(ctx, Company, company_number), []);
  const { site_number } = await seedSite(app, company_number);
  const { ticket_id } = await seedTicket(app, { company_number, site_number });
  await app.app.database.insert(Bell, { company_number, site_number, tone: 'c' });
  await app.app.database.insert(Bell, { company_number, tone: 'd' });
  t.deepEqual(await findHolders(ctx, Company, company_number), ['sites', 'tickets', 'bells']);
  t.deepEqual(await findHolders(ctx, Site, site_number), ['tickets', 'bells']);
  t.is(await app.statements(() => findHolders(ctx, Company, company_number)), 1);
  t.deepEqual(await findHolders(ctx, Company, other), []);

  await app.app.database.update(Bell, { company_number }, { deleted_at: ctx.now });
  t.deepEqual(await findHolders(ctx, Site, site_number), ['tickets'], 'a deleted row holds nothing');
  t.true(ticket_id > 0);
});

test('only reference columns can be dependents', (t) => {
  t.throws(() => dependent(Bell, 'tone', 'bells'), { message: /bells_bell\.tone does not reference a table/ });
});
