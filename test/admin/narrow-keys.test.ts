// A key can do only what its permissions allow, and nothing indirectly through another record or person.
import { Employee } from '@keelson/modules/directory';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { password, seedCompany, seedEmployee } from '../accounts-seed.ts';
import { asKey, seedSite } from '../tickets-seed.ts';

const person = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' };
const rights = { ismgr: true, it_privileges: true, can_view_billing: true, asset_edit: 'Modify' } as const;

async function start(t: Parameters<typeof startApp>[0], permissions: readonly string[]) {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  return { app, company_number, send: await asKey(app, [...permissions]) };
}

const permissionsOf = ({ app }: TestApp) =>
  app.plugins
    .flatMap(({ permissions = [] }) => permissions)
    .filter(({ surface }) => surface === 'admin')
    .map(({ name }) => name);

const rowOf = (app: TestApp, employee_number: number) => app.app.database.findOneBy(Employee, { employee_number });

test('Create a contact: a key with only contacts:write cannot grant passwords or permissions', async (t) => {
  const { send, company_number } = await start(t, ['contacts:read', 'contacts:write']);
  for (const [field, value] of Object.entries({ ...rights, can_create_tickets: false, password })) {
    const { status, body } = await send('POST', '/contacts.php', { ...person, company_number, [field]: value });
    t.deepEqual([status, body.error], [403, `${field} requires the permission contacts:access`], field);
  }
  const { status, body } = await send('POST', '/contacts.php', { ...person, company_number, ismgr: false });
  t.is(status, 201);
  t.is((await send('PUT', `/contacts.php?id=${body.data.employee_number}`, { phone: '+1 555' })).status, 200);
});

test('Update a contact: a key with only contacts:write cannot take over an account', async (t) => {
  const { app, send, company_number } = await start(t, ['contacts:read', 'contacts:write']);
  const { employee_number, email } = await seedEmployee(app, { company_number });
  await app.app.database.update(Employee, { employee_number }, { status: 'Inactive' });
  const before = await rowOf(app, employee_number);
  const path = `/contacts.php?id=${employee_number}`;
  for (const changes of [
    { email: 'me@example.com' },
    { password: 'Another-password-9' },
    { status: 'Active' },
    rights,
  ]) {
    const { status, body } = await send('PUT', path, changes);
    t.is(status, 403, JSON.stringify(changes));
    t.regex(body.error, /requires the permission contacts:access$/);
  }
  t.deepEqual(await rowOf(app, employee_number), before);
  t.is((await send('PUT', path, { email, last_name: 'Byron' })).status, 200, 'what is as it was may be sent');

  const bulk = { action: 'update', employee_numbers: [employee_number], fields: { it_privileges: true } };
  t.is((await send('POST', '/bulk/contacts.php', bulk)).status, 403);
  const list = { action: 'import', company_number, contacts: [{ ...person, it_privileges: true }] };
  t.like((await send('POST', '/bulk/contacts.php', list)).body.data, {
    succeeded: 0,
    results: [{ success: false, error: 'it_privileges requires the permission contacts:access' }],
  });
  const again = { ...list, update_existing: true, contacts: [{ ...person, email, password: 'Another-password-9' }] };
  t.is((await send('POST', '/bulk/contacts.php', again)).body.data.succeeded, 0);
  const file = await send('POST', `/contacts.php?action=import&company_number=${company_number}`, [
    { ...person, email: 'b@example.com', ismgr: true },
    { ...person, email: 'c@example.com' },
  ]);
  t.like(file.body.data, { created: 1, failed: 1 });
});

test('Create a contact; Update a contact: contacts:access in addition to contacts:write grants access', async (t) => {
  const { send, company_number } = await start(t, ['contacts:read', 'contacts:write', 'contacts:access']);
  const { status, body } = await send('POST', '/contacts.php', { ...person, company_number, ...rights, password });
  t.is(status, 201);
  t.is((await send('PUT', `/contacts.php?id=${body.data.employee_number}`, { email: 'b@example.com' })).status, 200);
});

test('Create a company’s manager group: contacts:access is required to choose approvers', async (t) => {
  const group = { name: 'Chiefs', code: 'CHIEFS' };
  const narrow = await start(t, ['contacts:read', 'contacts:write']);
  const { company_number } = narrow;
  t.is((await narrow.send('POST', '/manager-groups.php', { ...group, company_number })).status, 403);
  const wide = await asKey(narrow.app, ['contacts:read', 'contacts:access']);
  t.is((await wide('POST', '/manager-groups.php', { ...group, company_number })).status, 201);
});

test('Register a webhook; Change a webhook: a key only receives events it may read', async (t) => {
  const { app, send } = await start(t, ['settings:read', 'settings:write']);
  const hook = { url: 'https://hooks.example.com/x', events: ['ticket.created'] };
  const refused = await send('POST', '/webhooks.php', hook);
  t.deepEqual(
    [refused.status, refused.body.error],
    [403, 'You do not have permission to read the records of the event ticket.created'],
  );
  t.is((await send('POST', '/webhooks.php', { ...hook, events: ['invoice.paid'] })).status, 403);
  const wide = await asKey(app, ['settings:read', 'settings:write', 'tickets:read']);
  const { status, body } = await wide('POST', '/webhooks.php', hook);
  t.is(status, 201);
  const path = `/webhooks.php?id=${body.data.webhook_id}`;
  t.is((await send('PUT', path, { url: 'https://elsewhere.example.com/' })).status, 403);
  t.is((await wide('PUT', path, { url: 'https://elsewhere.example.com/' })).status, 200);
});

test('Create a workflow; Change a workflow; Trigger a workflow: a key needs the permissions its actions use', async (t) => {
  const { app, send } = await start(t, ['settings:read', 'settings:write']);
  const mail = { type: 'send_email', to: 'me@example.com', subject: 'x', body: '{{ ticket.subject }}' };
  const told = { name: 'Tell', trigger: { type: 'event', event: 'ticket.created' }, actions: [mail] };
  t.is((await send('POST', '/workflows.php', told)).status, 403);
  const raise = { type: 'create_ticket', subject: 'x', company_number: 1 };
  const raised = { name: 'Raise', trigger: { type: 'schedule', every_minutes: 5 }, actions: [raise] };
  const refused = await send('POST', '/workflows.php', raised);
  t.deepEqual(
    [refused.status, refused.body.error],
    [403, 'The action create_ticket requires the permission tickets:write'],
  );
  const wide = await asKey(app, ['settings:read', 'settings:write', 'tickets:read', 'tickets:write']);
  const { status, body } = await wide('POST', '/workflows.php', told);
  t.is(status, 201);
  const { workflow_id } = body.data;
  t.is((await send('PUT', `/workflows.php?id=${workflow_id}`, { name: 'Mine' })).status, 403);
  t.is((await send('POST', `/workflows.php?action=trigger&id=${workflow_id}`, {})).status, 403);
});

test('Change an API key: a key cannot rename keys with more permissions', async (t) => {
  const { app, send } = await start(t, ['settings:read', 'settings:write']);
  await asKey(app, ['tickets:read']);
  const keys = (await send('GET', '/settings/api-keys.php')).body.data as { key_id: number; permissions: string[] }[];
  const other = keys.find(({ permissions }) => permissions.includes('tickets:read'));
  t.is((await send('PUT', `/settings/api-keys.php?id=${other?.key_id}`, { name: 'Backup' })).status, 403);
});

const smsGateway = { url: 'https://sms.example.com/send', content_type: 'json', body: '{}' };
const mailServer = { host: 'mail.example.com', port: 465, security: 'tls', from_address: 'me@example.com' };
const provider = {
  ...{ key: 'oidc', issuer: 'https://id.example.com', client_id: 'x', client_secret: 'y' },
  ...{ domains: ['*'], companies: [] },
};
const mailbox = {
  ...{ name: 'Mine', address: 'me@example.com', username: 'me', password: 'secret-word' },
  ...{ host: 'mail.example.com', port: 993, security: 'tls' },
};

test('no single permission allows privilege escalation', async (t) => {
  const { app, company_number } = await start(t, []);
  const { site_number } = await seedSite(app, company_number, 'Main');
  const { employee_number } = await seedEmployee(app, { company_number });
  const before = await rowOf(app, employee_number);
  const reaching: readonly [string, string, object][] = [
    ['POST', '/contacts.php', { ...person, company_number, password, ...rights }],
    ['PUT', `/contacts.php?id=${employee_number}`, { password: 'Another-password-9' }],
    ['PUT', `/contacts.php?id=${employee_number}`, { email: 'me@example.com' }],
    ['PUT', `/contacts.php?id=${employee_number}`, rights],
    ['POST', '/technicians.php', { name: 'Me', email: 'me@example.com', role: 'administrator' }],
    ['PUT', '/settings/mail-server.php', mailServer],
    ['DELETE', '/settings/mail-server.php', {}],
    ['PUT', '/settings/identity-providers.php', provider],
    ['DELETE', '/settings/identity-providers.php?key=oidc', {}],
    ['PUT', '/assistant/model.php', { base_url: 'https://models.example.com/v1', model: 'small' }],
    ['POST', '/assistant/model.php?action=test', {}],
    ['DELETE', '/assistant/model.php', {}],
    ['PUT', '/teams/sms-gateway.php', smsGateway],
    ['POST', '/teams/sms-gateway.php?action=test', { number: '+491701234567' }],
    ['DELETE', '/teams/sms-gateway.php', {}],
    ['PUT', '/reports/google.php', {}],
    ['DELETE', '/reports/google.php', {}],
    ['POST', '/connect/collectors.php', { company_number, site_number }],
    ['POST', '/mailboxes.php', mailbox],
    ['POST', '/technicians.php?action=invite&id=1', {}],
    ['POST', '/settings/api-keys.php', { name: 'More', permissions: ['tickets:write', 'billing:write'] }],
    ['POST', '/webhooks.php', { url: 'https://hooks.example.com/x', events: ['ticket.created'] }],
    ['DELETE', `/contacts.php?action=second-factor&id=${employee_number}`, {}],
  ];
  for (const permission of permissionsOf(app)) {
    const send = await asKey(app, [permission]);
    for (const [method, path, body] of reaching) {
      const { status } = await send(method, path, body);
      t.true(status === 403 || status === 404, `${permission}: ${method} ${path} answers ${status}`);
    }
  }
  t.deepEqual(await rowOf(app, employee_number), before);
});
