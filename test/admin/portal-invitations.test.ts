// Customers' employees are invited to the portal, choose a password, and sign in.
import { createEmployee, Employee, updateEmployee } from '@keelson/modules/directory';
import { readMails, startApp, testClock, type TestApp } from '@keelson/testing';
import test from 'ava';
import { boundless } from '../_boundless.ts';
import {
  postForm,
  seedCompany,
  seedEmployee,
  seedKey,
  seedTechnician,
  signIn,
  signInOnPage,
} from '../accounts-seed.ts';

const admin = '/admin/api/v1/contacts.php';
const helpdesk = '/helpdesk/api/v1/employees';
const chosen = 'another walk along the river';

let last = 0;

/** Creates an employee without a password. */
async function newcomer(app: TestApp, company_number: number): Promise<Employee> {
  const email = `new${++last}@customer.example`;
  return app.run((ctx) => createEmployee(ctx, { company_number, first_name: 'Nora', last_name: 'New', email }));
}

/** Calls the API as an administrator's browser. */
async function asBoss(app: TestApp) {
  const cookie = await signInOnPage(app, await seedTechnician(app, 'administrator'));
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  return (method: string, path: string, body?: unknown) => app.request(method, path, { cookie, headers, body });
}

test('Invite contacts to the portal; Read a contact’s portal access', async (t) => {
  const clock = testClock();
  const app = await startApp(t, { clock, limiter: boundless });
  const { company_number } = await seedCompany(app);
  const nora = await newcomer(app, company_number);
  const send = await asBoss(app);
  const access = async () => (await send('GET', `${admin}?action=portal-access&id=${nora.employee_number}`)).body.data;
  const invite = (...employee_numbers: number[]) => send('POST', `${admin}?action=invite`, { employee_numbers });
  const nothing = { access: 'none', invited_at: null, invitation_expires_at: null, last_signed_in_at: null };
  t.deepEqual(await access(), nothing);

  // Without outgoing mail, the response contains the link, to be shared by hand.
  const first = await invite(nora.employee_number);
  t.is(first.status, 200, first.text);
  t.like(first.body.data.invited[0], { email: nora.email, expires_at: '2026-03-09T09:00:00Z' });
  t.deepEqual(await readMails(app), []);
  t.deepEqual(await access(), {
    ...nothing,
    access: 'invited',
    invited_at: '2026-03-02T09:00:00Z',
    invitation_expires_at: '2026-03-09T09:00:00Z',
  });
  const second = (await invite(nora.employee_number)).body.data.invited[0];
  const path = (link: string) => link.slice(link.indexOf('/helpdesk'));
  t.is((await app.request('GET', path(first.body.data.invited[0].link))).status, 404, 'the newer one replaces it');
  t.is((await app.request('GET', path(second.link))).status, 200);

  // Not valid for technician accounts, and only once.
  const token = new URL(second.link).searchParams.get('token') ?? '';
  t.is((await postForm(app, '/admin/invitation', { token, password: chosen })).status, 404);
  t.is((await postForm(app, '/helpdesk/invitation', { token, password: 'short' })).status, 400);
  t.is((await postForm(app, '/helpdesk/invitation', { token, password: chosen })).status, 200);
  t.is((await postForm(app, '/helpdesk/invitation', { token, password: chosen })).status, 404);
  const body = { username: nora.email, password: chosen };
  t.is((await app.request('POST', '/helpdesk/api/v1/auth/login', { body })).status, 200);
  t.like(await access(), {
    access: 'granted',
    invitation_expires_at: null,
    last_signed_in_at: '2026-03-02T09:00:00Z',
  });
  t.deepEqual((await invite(nora.employee_number)).body.data, {
    invited: [],
    skipped: [{ employee_number: nora.employee_number, reason: 'Nora New already has a password' }],
  });
});

for (const [what, changes] of [
  ['has another address', [{ email: 'nora.new@customer.example' }]],
  ['is inactive', [{ status: 'Inactive' }]],
  ['was inactive for a while', [{ status: 'Inactive' }, { status: 'Active' }]],
] as const)
  test(`Read a contact’s portal access: an invitation is void once the person ${what}`, async (t) => {
    const app = await startApp(t, { limiter: boundless });
    const { company_number } = await seedCompany(app);
    const { employee_number } = await newcomer(app, company_number);
    const send = await asBoss(app);
    const { link } = (await send('POST', `${admin}?action=invite`, { employee_numbers: [employee_number] })).body.data
      .invited[0];
    for (const each of changes) t.is((await send('PUT', `${admin}?id=${employee_number}`, each)).status, 200);
    t.is((await app.request('GET', link.slice(link.indexOf('/helpdesk')))).status, 404);
    const { data } = (await send('GET', `${admin}?action=portal-access&id=${employee_number}`)).body;
    t.like(data, { access: 'none', invited_at: '2026-03-02T09:00:00Z', invitation_expires_at: null });
  });

test('Invite contacts to the portal: by mail, naming people who cannot be invited', async (t) => {
  const clock = testClock();
  const app = await startApp(t, {
    clock,
    limiter: boundless,
    config: { smtpUrl: 'smtp://127.0.0.1:1', mailFrom: 'desk@acme.example', tenantName: 'Acme IT' },
  });
  const { company_number } = await seedCompany(app);
  const send = await asBoss(app);
  const [nora, gone] = [await newcomer(app, company_number), await newcomer(app, company_number)];
  await app.run((ctx) => ctx.db.update(Employee, { employee_number: gone.employee_number }, { status: 'Inactive' }));
  const invite = () =>
    send('POST', `${admin}?action=invite`, { employee_numbers: [nora.employee_number, gone.employee_number, 999] });
  const { data } = (await invite()).body;
  t.is(data.invited[0].link, null, 'the mail has it');
  t.deepEqual(data.skipped, [
    { employee_number: gone.employee_number, reason: 'Nora New is not active' },
    { employee_number: 999, reason: 'No such person' },
  ]);
  const [mail] = await readMails(app);
  t.like(mail, { to: nora.email, subject: 'Your access to the Acme IT support portal' });
  const link = /http\S+/.exec(mail?.text ?? '')?.[0] ?? '';
  t.is((await app.request('GET', link.slice(link.indexOf('/helpdesk')))).status, 200);

  // The number of mails per person is limited.
  await invite();
  await invite();
  const often = 'Nora New has already been sent 3 links in the last hour';
  t.is((await invite()).body.data.skipped[0].reason, often);
  t.is((await readMails(app)).length, 3);
  // A link sent to the old address is invalid after the address changes.
  clock.set('2026-03-02T10:30:00.000Z');
  await invite();
  const newest = /http\S+/.exec((await readMails(app)).at(-1)?.text ?? '')?.[0] ?? '';
  await app.run(async (ctx) => updateEmployee(ctx, nora, { email: 'other@customer.example' }));
  t.is((await app.request('GET', newest.slice(newest.indexOf('/helpdesk')))).status, 404);
});

test('Invite employees to the portal; Read an employee’s portal access', async (t) => {
  const app = await startApp(t, { limiter: boundless });
  const { company_number } = await seedCompany(app);
  const [nora, elsewhere] = [
    await newcomer(app, company_number),
    await newcomer(app, (await seedCompany(app)).company_number),
  ];
  const itAdmin = await signIn(app, await seedEmployee(app, { company_number, it_privileges: true }));
  const colleague = await signIn(app, await seedEmployee(app, { company_number, ismgr: true }));
  const body = { employee_numbers: [nora.employee_number, elsewhere.employee_number] };
  const { token } = itAdmin;
  const answer = await app.request('POST', `${helpdesk}/invite`, { token, body });
  t.is(answer.status, 200, answer.text);
  t.deepEqual(
    answer.body.invited.map((each: { email: string }) => each.email),
    [nora.email],
  );
  t.deepEqual(answer.body.skipped, [{ employee_number: elsewhere.employee_number, reason: 'No such person' }]);
  const access = await app.request('GET', `${helpdesk}/${nora.employee_number}/portal-access`, { token });
  t.is(access.body.access, 'invited');
  const foreign = await app.request('GET', `${helpdesk}/${elsewhere.employee_number}/portal-access`, { token });
  t.is(foreign.status, 404);
  for (const request of [
    app.request('POST', `${helpdesk}/invite`, { token: colleague.token, body }),
    app.request('GET', `${helpdesk}/${nora.employee_number}/portal-access`, { token: colleague.token }),
  ])
    t.is((await request).status, 403);
  const { api_key } = await seedKey(app, 'admin', ['contacts:read', 'contacts:write']);
  t.is((await app.request('POST', `${admin}?action=invite`, { token: api_key, body })).status, 403);
});

test('Invite the contacts of an import to the portal; Invite the employees of an import to the portal', async (t) => {
  const app = await startApp(t, { limiter: boundless });
  const { company_number } = await seedCompany(app);
  const { api_key: token } = await seedKey(app, 'admin', ['contacts:read', 'contacts:write', 'contacts:access']);
  const rows = Array.from({ length: 130 }, (_, i) => ({
    first_name: 'New',
    last_name: `${i}`,
    email: `new-${i}@invite.example`,
  }));
  const imported = await app.request('POST', `${admin}?action=import`, {
    token,
    body: { contacts: rows, company_number },
  });
  const { import_id } = imported.body.data;
  const invite = (body: object) => app.request('POST', `${admin}?action=invite-imported`, { token, body });
  const first = (await invite({ import_id })).body.data;
  t.is(first.invited.length, 100);
  const second = (await invite({ import_id, after: first.next })).body.data;
  t.is(second.invited.length, 30);
  t.is(second.next, null);
  const { api_key: other } = await seedKey(app, 'admin', ['contacts:access']);
  const path = `${admin}?action=invite-imported`;
  t.is((await app.request('POST', path, { token: other, body: { import_id } })).status, 404);

  const itAdmin = await signIn(app, await seedEmployee(app, { company_number, it_privileges: true }));
  const stranger = await signIn(app, await seedEmployee(app, { it_privileges: true }));
  const employees = [{ first_name: 'Own', last_name: 'One', email: 'own@invite.example' }];
  const own = await app.request('POST', `${helpdesk}/import`, { token: itAdmin.token, body: { employees } });
  const body = { import_id: own.body.import_id };
  const invited = await app.request('POST', `${helpdesk}/invite-imported`, { token: itAdmin.token, body });
  t.is(invited.body.invited[0].email, 'own@invite.example');
  t.is((await app.request('POST', `${helpdesk}/invite-imported`, { token: stranger.token, body })).status, 404);
  t.is(
    (await app.request('POST', `${helpdesk}/invite-imported`, { token: itAdmin.token, body: { import_id } })).status,
    404,
  );
});
