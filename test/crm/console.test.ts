// The CRM for the provider's staff: sessions work only with the console's header, and no other access is added
//
import { startApp, type TestRequest } from '@keelson/testing';
import test from 'ava';
import { ActivityLine } from '../../packages/log/activity.ts';
import { memoryLimiter } from '../../packages/security/limit.ts';
import { seedEmployee, seedKey, seedTechnician, signIn, signInOnPage } from '../accounts-seed.ts';
import { aKey, anAdministrator, listen, streamsOf } from '../core/_live.ts';
import { crmPermissions, crmRoot, refused } from '../crm-seed.ts';

const headers = { 'X-Console': '1' };

test('technicians use the CRM in the console according to their role, under their name', async (t) => {
  const app = await startApp(t);
  const technician = await seedTechnician(app, 'technician');
  const cookie = await signInOnPage(app, technician);
  const ask = (method: string, path: string, more: TestRequest = {}) =>
    app.request(method, crmRoot + path, { cookie, headers, ...more });
  const lead = await ask('POST', '/leads', { body: { email: 'a@example.com' } });
  t.is(lead.status, 201, lead.text);
  const path = `/leads/${lead.body.data.lead_id}`;
  const note = { entity_type: 'lead', entity_id: lead.body.data.lead_id, content: 'Called back' };
  t.is((await ask('POST', '/notes', { body: note })).body.data.created_by, technician.name);
  t.is((await ask('POST', `${path}/convert`, { body: { create_opportunity: true } })).status, 200);
  t.is((await ask('GET', '/search?q=example')).status, 200);
  t.is((await ask('GET', '/custom-fields')).status, 200);
  t.is((await ask('DELETE', path)).status, 200);
  const lines = await app.app.database.findBy(ActivityLine, {
    author_type: 'technician',
    author_id: technician.user_id,
  });
  t.true(lines.some(({ action, entity_type }) => action === 'create' && entity_type === 'lead'));
  t.deepEqual((await ask('GET', '/webhooks')).body, refused, 'webhooks are the administrators’');
  t.is((await ask('GET', '/widget/status')).status, 403, 'the widget is the visitors’');
  const administrator = await signInOnPage(app, await seedTechnician(app, 'administrator'));
  t.is((await ask('GET', '/webhooks', { cookie: administrator })).status, 200);
});

test('requires a technician’s own valid session and the header', async (t) => {
  const app = await startApp(t);
  const cookie = await signInOnPage(app, await seedTechnician(app));
  const employee = await signIn(app, await seedEmployee(app));
  const { api_key: key } = await seedKey(app, 'crm_secret', crmPermissions);
  const { api_key: reader } = await seedKey(app, 'crm_secret', ['prospects:read']);
  const { api_key: token } = await seedKey(app, 'admin', ['contacts:read']);
  const status = async (request: TestRequest, path = '/leads') =>
    (await app.request('GET', crmRoot + path, request)).status;
  t.is(await status({ cookie, headers }), 200);
  t.is(await status({ cookie }), 401, 'a session alone is nobody here');
  for (const value of ['0', '', 'true', '1, 1', '11'])
    t.is(await status({ cookie, headers: { 'X-Console': value } }), 401, value);
  t.is(await status({ headers }), 401, 'the header alone is nobody');
  t.is(await status({ cookie: employee.cookie, headers }), 401);
  t.is(await status({ token: employee.token, headers }), 401);
  t.is(await status({ token, headers }), 401, 'a key of the administrative surface');
  t.is(await status({ cookie: `${cookie}x`, headers }), 401);
  t.is(await status({ cookie: `${cookie}; ${cookie}x`, headers }), 401, 'two sessions are none');
  t.is(await status({ cookie, headers }, `/leads?api_key=${key}`), 401, 'no credential in the address');
  t.is(await status({ cookie, headers, key: reader }), 403, 'a key decides');
  t.is(await status({ cookie, headers, key: 'crm_wrong' }), 401, 'even one that is wrong');
  t.is(await status({ headers, key }), 200, 'the header changes nothing for a key');
  await app.request('POST', '/admin/logout', { cookie, headers: { 'Sec-Fetch-Site': 'same-origin' } });
  t.is(await status({ cookie, headers }), 401, 'signed out');
});

test('console requests count towards the session’s limit and can be repeated safely', async (t) => {
  const clock = { monotonic: () => 0, unix: () => 1_700_000_000_000 };
  const app = await startApp(t, { limiter: memoryLimiter({ clock }) });
  const cookie = await signInOnPage(app, await seedTechnician(app));
  const left = async (path: string, request: TestRequest) => {
    const answer = await app.request('GET', path, request);
    return ['limit', 'remaining'].map((each) => answer.headers.get(`x-ratelimit-${each}`));
  };
  t.deepEqual(await left('/admin/api/v1/tickets.php', { cookie }), ['300', '299']);
  t.deepEqual(await left(`${crmRoot}/leads`, { cookie, headers }), ['300', '298']);
  const body = { email: 'once@example.com' };
  const once = () =>
    app.request('POST', `${crmRoot}/leads`, { cookie, body, headers: { ...headers, 'Idempotency-Key': 'a' } });
  const [first, second] = [await once(), await once()];
  t.deepEqual([first.status, second.status], [201, 201]);
  t.deepEqual(second.body, first.body);
  const { lead_id } = first.body.data;
  const lead = await app.request('GET', `${crmRoot}/leads/${lead_id}`, { cookie, headers });
  t.is(lead.body.data.source, '', 'a lead that a person typed in does not come from the API');
});

test('pages of other origins cannot send the header', async (t) => {
  const origin = 'https://listed.example.com';
  const app = await startApp(t, { config: { corsOrigins: [origin] } });
  const cookie = await signInOnPage(app, await seedTechnician(app));
  for (const path of ['/leads', '/widget/init']) {
    const preflight = await app.request('OPTIONS', crmRoot + path, {
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'x-console',
      },
    });
    t.notRegex(preflight.headers.get('access-control-allow-headers') ?? '', /x-console/i, path);
  }
  const read = await app.request('GET', `${crmRoot}/leads`, { cookie, headers: { ...headers, Origin: origin } });
  t.is(read.headers.get('access-control-allow-origin'), null);
  const forged = { ...headers, 'Sec-Fetch-Site': 'cross-site' };
  const body = { email: 'a@example.com' };
  t.is((await app.request('POST', `${crmRoot}/leads`, { cookie, body, headers: forged })).status, 403);
});

test('the OpenAPI document describes authentication', async (t) => {
  const app = await startApp(t);
  const { body } = await app.request('GET', `${crmRoot}/openapi.json`);
  t.deepEqual(Object.keys(body.components.securitySchemes), ['key', 'session', 'console']);
  t.deepEqual(body.paths['/leads'].get.security, [{ key: [] }, { session: [], console: [] }]);
});

test('the console receives changes and presence of CRM records; keys receive their shortcuts only', async (t) => {
  const app = await startApp(t);
  const technician = await seedTechnician(app, 'technician');
  const cookie = await signInOnPage(app, technician);
  const live = streamsOf(app);
  const person = await listen(app, anAdministrator);
  const key = await listen(app, aKey(['contacts:read', 'reports:read']));
  await live.look();
  const told = async () => {
    await live.look();
    return [person.heard(), key.heard()];
  };
  const by = `by technician ${technician.user_id}`;
  const post = async (path: string, body: object) =>
    Object.values<number>((await app.request('POST', crmRoot + path, { cookie, headers, body })).body.data)[0];
  const contact = await post('/people', { first_name: 'Pia', last_name: 'Person' });
  t.deepEqual(await told(), [[`created crm_contact ${contact} ${by}`], []]);
  await post('/notes', { entity_type: 'contact', entity_id: contact, content: 'Called back' });
  const [heard = []] = await told();
  t.true(heard.includes(`changed crm_contact ${contact} ${by}`), heard.join());
  const prospect = await post('/prospects', { name: 'Smith & Sons' });
  t.deepEqual(await told(), [[`created prospect ${prospect} ${by}`], []]);
  const body = { type: 'prospect', key: prospect, doing: 'viewing' };
  t.is((await app.request('POST', '/admin/api/v1/presence.php', { cookie, body })).status, 200);
  t.deepEqual(await told(), [[`viewing prospect ${prospect} ${by}`], []]);
});
