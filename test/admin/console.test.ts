// The console's bootstrap data.
import { createApiKey } from '@keelson/modules/accounts';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedTechnician, signInOnPage } from '../accounts-seed.ts';

const path = '/admin/api/v1/console.php';

test('Read the console configuration for the caller: the caller and the pages their permissions allow', async (t) => {
  const app = await startApp(t);
  const technician = await seedTechnician(app);
  const cookie = await signInOnPage(app, technician);
  const { status, body } = await app.request('GET', path, { cookie });
  t.is(status, 200);
  t.deepEqual(body.data.person, {
    id: technician.user_id,
    name: technician.name,
    email: technician.email,
    role: technician.role,
  });
  t.deepEqual(body.data.tenant, { name: app.app.config.tenantName, currency: 'USD' });
  t.true(body.data.permissions.includes('warranty:read'));
  const claims = body.data.pages.find((each: { path: string }) => each.path === '/warranty');
  t.is(claims.title, 'Warranty claims');
  t.regex(claims.module, /^\/web\/\w+\/warranty\/console\/claims\.js$/);
});

test('Read the console configuration for the caller: only the pages, panels and permissions of the key', async (t) => {
  const app = await startApp(t);
  const { data } = (await app.request('GET', path, { token: await keyWith(app, ['tickets:read']) })).body;
  t.deepEqual(data.permissions, ['tickets:read']);
  t.false(data.pages.some((each: { plugin: string }) => each.plugin === 'warranty'));
  t.is(data.person.email, null);
});

test('Read the console configuration for the caller: the answers that each kind of change outdates', async (t) => {
  const app = await startApp(t);
  const token = await keyWith(app, ['tickets:read']);
  const { live } = (await app.request('GET', path, { token })).body.data;
  // The table and the record have different names.
  t.deepEqual(live.employee, ['/contacts.php']);
  t.deepEqual(live.marketplace_product, ['/billing/products.php']);
  t.true(live.ticket.includes('/tickets.php'));
  t.false(live.ticket.includes('/assets.php'));
  // Preferences belong to the window.
  t.deepEqual(emptyOf(live), ['preference']);
});

const emptyOf = (live: Readonly<Record<string, readonly string[]>>): string[] =>
  Object.keys(live).filter((type) => live[type]?.length === 0);

async function keyWith({ run }: TestApp, permissions: string[]): Promise<string> {
  const { api_key } = await run((ctx) => createApiKey(ctx, { type: 'admin', name: 'Test', permissions }));
  return api_key;
}
