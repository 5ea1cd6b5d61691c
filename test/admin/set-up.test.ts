// The remaining set-up steps of a new installation.
import { createEmployee } from '@keelson/modules/directory';
import { createCalendar } from '@keelson/modules/levels';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { boundless } from '../_boundless.ts';
import { seedCompany, seedTechnician, signInOnPage } from '../accounts-seed.ts';
import { seedTicket } from '../tickets-seed.ts';

const staff = '/admin/api/v1';
const headers = { 'Sec-Fetch-Site': 'same-origin' };

test('Read the set-up checklist; Hide the set-up checklist', async (t) => {
  const config = { smtpUrl: 'smtp://127.0.0.1:1', mailFrom: 'desk@acme.example' };
  const app = await startApp(t, { limiter: boundless, config });
  const cookie = await signInOnPage(app, await seedTechnician(app, 'administrator'));
  const send = (method: string, path: string, body?: unknown) =>
    app.request(method, staff + path, { cookie, headers, body });
  const done = async () => {
    const { steps } = (await send('GET', '/set-up.php')).body.data;
    return steps.flatMap((each: { step: string; done: boolean }) => (each.done ? [each.step] : []));
  };
  t.deepEqual(await done(), ['mail']);
  await send('PUT', '/settings/branding.php', { company_name: 'Acme IT' });
  await send('PUT', '/settings/region.php', { time_zone: 'Europe/Berlin' });
  await app.run((ctx) => createCalendar(ctx, { name: 'Office', time_zone: 'Europe/Berlin', hours: [] }));
  t.deepEqual(await done(), ['branding', 'region', 'hours', 'mail']);
  const technician = await seedTechnician(app, 'technician');
  const { company_number } = await seedCompany(app);
  t.deepEqual(await done(), ['branding', 'region', 'hours', 'mail', 'technicians', 'company']);
  const person = { company_number, first_name: 'Nora', last_name: 'New', email: 'nora@customer.example' };
  await app.run((ctx) => createEmployee(ctx, person));
  await seedTicket(app, { company_number });
  t.deepEqual(await done(), ['branding', 'region', 'hours', 'mail', 'technicians', 'company', 'contacts', 'ticket']);

  t.true((await send('PUT', '/set-up.php', { hidden: true })).body.data.hidden);
  t.true((await send('GET', '/set-up.php')).body.data.hidden);
  t.is((await send('PUT', '/set-up.php', {})).body.error, 'hidden is required');
  const other = { cookie: await signInOnPage(app, technician), headers };
  t.is((await app.request('GET', `${staff}/set-up.php`, other)).status, 403);
});
