// Texts that grow under normalisation: `ﷺ` is one character, but 18 under NFKC. The usual length limits apply.
import { input, z } from '@keelson/core';
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { safeParse } from '../../packages/kit/validate.ts';
import { seedCompany, seedEmployee, signIn } from '../accounts-seed.ts';
import { asCrm } from '../crm-seed.ts';
import { asKey, portal, seedSite, seedTechnician, staff } from '../tickets-seed.ts';

/** 20 characters, 360 when normalised. */
const grows = 'ﷺ'.repeat(20);
const address = `${grows}@example.com`;

let app: TestApp;
test.before(async () => {
  app = await openApp();
});
test.after.always(() => app.close());

test('Compared text must also fit in its normalised form, other text only as typed', (t) => {
  const refusal = (shape: z.ZodType, value: string) => {
    const result = safeParse(z.object({ x: shape }), { x: value }, 'Body');
    return 'errors' in result ? result.errors.get('x') : undefined;
  };
  t.is(refusal(input.text(255), grows), undefined);
  t.is(refusal(input.text(360, { compared: true }), grows), undefined);
  t.is(refusal(input.text(359, { compared: true }), grows), 'x must be at most 359 characters');
  t.is(refusal(input.email(), address), 'x must be at most 254 characters');
  t.is(refusal(input.optionalEmail(), address), 'x must be at most 254 characters');
  // A dotted capital İ lower-cases to two characters.
  t.is(refusal(input.text(255, { compared: true }), 'İ'.repeat(128)), 'x must be at most 255 characters');
});

test('Every compared field rejects text that grows too long, by name', async (t) => {
  const permissions = app.app.plugins.flatMap((plugin) => plugin.permissions ?? []);
  const asStaff = await asKey(
    app,
    permissions.filter((each) => each.surface === 'admin').map((each) => each.name),
  );
  const asSales = await asCrm(app);
  const { company_number } = await seedCompany(app);
  const { site_number } = await seedSite(app, company_number);
  const boss = await seedEmployee(app, { company_number, ismgr: true, it_privileges: true });
  const { token } = await signIn(app, boss);
  const { user_id } = await seedTechnician(app, 'technician');
  const asBoss = (method: string, path: string, body: unknown) =>
    app.request(method, `${portal}${path}`, { token, body });
  const made = async (path: string, body: object, id: string): Promise<number> =>
    (await asSales('POST', path, body)).body.data[id];
  const lead_id = await made('/leads', { email: 'first@example.com' }, 'lead_id');
  const contact_id = await made('/people', { first_name: 'Pia', email: 'pia@example.com' }, 'contact_id');
  const prospect_id = await made('/prospects', { name: 'Prospect' }, 'prospect_id');
  const { service_id } = (await asStaff('POST', '/outage-services.php', { name: 'Telex' })).body.data;
  const person = { first_name: 'Erin', last_name: 'Example' };
  const fields = [
    [asBoss, 'POST', '/employees', { ...person, email: address }, 'email'],
    [asBoss, 'PUT', `/employees/${boss.employee_number}`, { email: address }, 'email'],
    [asStaff, 'POST', '/contacts.php', { ...person, company_number, email: address }, 'email'],
    [asStaff, 'PUT', `/contacts.php?id=${boss.employee_number}`, { email: address }, 'email'],
    [asStaff, 'POST', '/technicians.php', { name: 'Tess', email: address, role: 'technician' }, 'email'],
    [asStaff, 'PUT', `/technicians.php?id=${user_id}`, { email: address }, 'email'],
    [asStaff, 'POST', '/companies.php', { customer: grows }, 'customer'],
    [asStaff, 'PUT', `/companies.php?id=${company_number}`, { customer: grows }, 'customer'],
    [asStaff, 'POST', '/sites.php', { company_number, site_name: grows }, 'site_name'],
    [asStaff, 'PUT', `/sites.php?id=${site_number}`, { site_name: grows }, 'site_name'],
    [asStaff, 'POST', '/outage-services.php', { name: grows }, 'name'],
    [asStaff, 'PUT', `/outage-services.php?id=${service_id}`, { name: grows }, 'name'],
    [asStaff, 'POST', '/outage-subscribers.php', { company_number, email: address }, 'email'],
    [asSales, 'POST', '/leads', { email: address }, 'email'],
    [asSales, 'PUT', `/leads/${lead_id}`, { email: address }, 'email'],
    [asSales, 'POST', '/people', { ...person, email: address }, 'email'],
    [asSales, 'PUT', `/people/${contact_id}`, { email: address }, 'email'],
    [asSales, 'POST', '/people', { ...person, tags: ['new', grows] }, 'tags[1]'],
    [asSales, 'PUT', `/people/${contact_id}`, { tags: [grows] }, 'tags[0]'],
    [asSales, 'POST', '/prospects', { name: grows }, 'name'],
    [asSales, 'POST', '/prospects', { account_name: grows }, 'account_name'],
    [asSales, 'POST', '/prospects', { company_name: grows }, 'company_name'],
    [asSales, 'PUT', `/prospects/${prospect_id}`, { name: grows }, 'name'],
  ] as const;
  for (const [send, method, path, body, field] of fields) {
    const answer = await send(method, path, body);
    t.is(answer.status, 400, `${method} ${path} ${field}: ${answer.text}`);
    t.regex(answer.body.error, new RegExp(`^${RegExp.escape(field)} must be at most \\d+ characters$`), path);
  }
});

test('A lead whose names grow is converted, or the field that is too long is reported', async (t) => {
  const send = await asCrm(app);
  for (const [names, field] of [
    [{ company_name: grows }, 'company_name'],
    [{ first_name: grows }, 'first_name and last_name'],
    [{ first_name: 'x'.repeat(255), last_name: 'y' }, 'first_name and last_name'],
  ] as const) {
    const { lead_id } = (await send('POST', '/leads', { phone: '1', ...names })).body.data;
    const refused = await send('POST', `/leads/${lead_id}/convert`, { create_prospect: true });
    t.is(refused.status, 400, refused.text);
    t.regex(refused.body.error, new RegExp(`^${field} must be at most 255 characters`));
    const converted = await send('POST', `/leads/${lead_id}/convert`, { create_contact: true, create_prospect: false });
    t.is(converted.status, 200, converted.text);
  }
});

test('Searching for a growing text returns nothing', async (t) => {
  const send = await asCrm(app);
  t.deepEqual((await send('GET', `/people?tag=${encodeURIComponent(grows)}`)).body.data, []);
  const login = { username: address, password: 'x'.repeat(20) };
  t.is((await app.request('POST', `${portal}/auth/login`, { body: login })).status, 401);
});

test('A row that grows too long is an import error, and the others are stored', async (t) => {
  const { company_number } = await seedCompany(app);
  const send = await asKey(app, ['contacts:read', 'contacts:write', 'contacts:access']);
  const row = (name: string, email: string) => ({ first_name: name, last_name: 'Row', email, company_number });
  const rows = [row('One', 'row.one@example.com'), row('Two', address), row('Three', 'row.three@example.com')];
  const answer = await send('POST', '/contacts.php?action=import', { contacts: rows });
  t.is(answer.status, 200, answer.text);
  t.like(answer.body.data, {
    created: 2,
    failed: 1,
    errors: [{ row: 2, field: 'email', error: 'email must be at most 254 characters' }],
  });
  const header = 'first_name,last_name,email,company_number\n';
  const csv = `${header}Four,Row,row.four@example.com,${company_number}\nFive,Row,${address},${company_number}\n`;
  const file = await send('POST', '/contacts.php?action=import', { csv });
  t.like(file.body.data, { created: 1, failed: 1 });
  const boss = await seedEmployee(app, { company_number, it_privileges: true });
  const { token } = await signIn(app, boss);
  const employees = [
    { first_name: 'Six', last_name: 'Row', email: address },
    { first_name: 'Seven', last_name: 'Row', email: 'row.seven@example.com' },
  ];
  const own = await app.request('POST', `${portal}/employees/import`, { token, body: { employees } });
  t.is(own.status, 200, own.text);
  t.is(own.body.created, 1);
  t.deepEqual(own.body.errors, [{ row: 1, field: 'email', error: 'email must be at most 254 characters' }]);
});

test('the administrative surface returns no 500 for them', async (t) => {
  const answer = await app.request('GET', `${staff}/contacts.php?q=${encodeURIComponent(grows)}`);
  t.not(answer.status, 500);
});
