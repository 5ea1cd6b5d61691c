import { definePlugin, helpdesk, item, signedIn, z } from '@keelson/core';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { seedCompany, seedEmployee, seedKey, seedTechnician, signIn, signInOnPage } from '../accounts-seed.ts';

/** A plugin that can be switched per company, as billing will be. */
const switched = definePlugin({
  id: 'switched',
  title: 'Switched',
  perCompany: { default: false },
  routes: [
    helpdesk.get('/switched', {
      title: 'Say that the module is on',
      access: signedIn,
      returns: item(z.object({ on: z.boolean() })),
      handle: () => ({ on: true }),
    }),
  ],
});

const path = (id: number | string) => `/admin/api/v1/companies.php?action=modules&id=${id}`;

test('Read a company’s modules', async (t) => {
  const app = await startApp(t, { plugins: [switched] });
  const { company_number } = await seedCompany(app);
  const { api_key: token } = await seedKey(app, 'admin', ['companies:read']);
  const answer = await app.request('GET', path(company_number), { token });
  t.is(answer.status, 200);
  t.deepEqual(answer.body, { success: true, data: { ...app.app.switches.defaults() } });
  t.is(answer.body.data.switched, false);
  t.is((await app.request('GET', path(9999), { token })).status, 404);
  t.deepEqual((await app.request('GET', path('x'), { token })).body, {
    success: false,
    error: 'id must be a positive integer',
  });
  t.deepEqual((await app.request('GET', '/admin/api/v1/companies.php?action=modules', { token })).body, {
    success: false,
    error: 'id is required',
  });
});

test('Enable or disable a company’s modules: takes effect immediately, for that company only', async (t) => {
  const app = await startApp(t, { plugins: [switched] });
  const employee = await seedEmployee(app);
  const neighbour = await seedEmployee(app);
  const { token: theirs } = await signIn(app, employee);
  const { token: others } = await signIn(app, neighbour);
  const { api_key: token } = await seedKey(app, 'admin', ['companies:write']);
  const call = (bearer: string) => app.request('GET', '/helpdesk/api/v1/switched', { token: bearer });
  const closed = await call(theirs);
  t.is(closed.status, 403);
  t.deepEqual(closed.body, { error: 'Switched module is disabled' });
  const put = (modules: unknown) => app.request('PUT', path(employee.company_number), { token, body: { modules } });
  const answer = await put({ switched: true });
  t.is(answer.status, 200);
  t.deepEqual(answer.body, { success: true, data: { ...app.app.switches.defaults(), switched: true } });
  t.is((await call(theirs)).status, 200);
  t.is((await call(others)).status, 403);
  const listed = await app.request('GET', '/helpdesk/api/v1/modules', { token: theirs });
  t.deepEqual(
    listed.body.modules.filter((each: { key: string }) => each.key === 'switched'),
    [{ key: 'switched', name: 'Switched', enabled: true }],
  );
  await put({ switched: false });
  t.is((await call(theirs)).status, 403);
  t.is((await put({ nonsense: true })).status, 400);
  t.is((await put({ toString: true })).status, 400, 'what every object has is no module');
  t.deepEqual((await put({})).body, { success: false, error: 'No fields to update' });
  t.is((await put({ switched: 'yes' })).status, 400);
  t.is((await app.request('PUT', path(employee.company_number), { token, body: {} })).status, 400);
});

test('company modules require a credential and the permission', async (t) => {
  const app = await startApp(t, { plugins: [switched] });
  const { company_number } = await seedCompany(app);
  const { api_key: reader } = await seedKey(app, 'admin', ['companies:read']);
  const { api_key: other } = await seedKey(app, 'admin', ['tickets:read']);
  const body = { modules: { switched: true } };
  t.is((await app.request('GET', path(company_number))).status, 401);
  t.is((await app.request('PUT', path(company_number), { body })).status, 401);
  t.is((await app.request('GET', path(company_number), { token: other })).status, 403);
  t.is((await app.request('PUT', path(company_number), { token: reader, body })).status, 403);
  const cookie = await signInOnPage(app, await seedTechnician(app, 'technician'));
  const asTechnician = await app.request('PUT', path(company_number), { cookie, body });
  t.is(asTechnician.status, 200, 'a technician may write companies (Z-24)');
  const unknown = await app.request('GET', '/admin/api/v1/companies.php?action=dance&id=1', { token: reader });
  t.deepEqual(unknown.body, { success: false, error: 'Unknown action' });
  const method = await app.request('DELETE', path(company_number), { token: reader });
  t.is(method.status, 405);
  t.is(method.headers.get('allow'), 'GET, HEAD, OPTIONS, PUT');
});
