// Stored passwords: sealed, masked, revealed one at a time, and logged before each reveal (AS-06 to AS-09).
import { sql } from '@keelson/core';
import { createApiKey } from '@keelson/modules/accounts';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { AssetCredential } from '../../modules/assets/entities/parts.ts';
import { ActivityLine } from '../../packages/log/activity.ts';
import { createLogger } from '../../packages/log/log.ts';
import { password, seedCompany, seedEmployee, seedTechnician, signInOnPage } from '../accounts-seed.ts';
import { assetRights, seedAsset } from '../assets-seed.ts';
import { asEmployee, asKey, staff } from '../tickets-seed.ts';

async function start(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t);
  const send = await asKey(app, assetRights);
  const { company_number } = await seedCompany(app);
  const { asset_id } = await seedAsset(app, { company_number, machine_name: 'PC' });
  const path = `/assets.php?id=${asset_id}`;
  return { app, send, company_number, asset_id, path };
}

const confirmPath = '/technicians.php?action=confirm';
const revealPath = (asset_id: number, login_id: number) =>
  `/assets.php?action=credential-reveal&id=${asset_id}&login_id=${login_id}`;

/** Opens a technician's session whose requests look like a browser's. */
async function asSignedIn(app: TestApp, technician?: Awaited<ReturnType<typeof seedTechnician>>) {
  const cookie = await signInOnPage(app, technician ?? (await seedTechnician(app)));
  return (method: string, path: string, body?: unknown) =>
    app.request(method, `${staff}${path}`, { cookie, ...(body !== undefined && { body }) });
}

/** Opens a session in which the technician has re-authenticated. */
async function asTechnician(app: TestApp) {
  const send = await asSignedIn(app);
  await send('POST', confirmPath, { password });
  return send;
}

test('Update any asset: logins are replaced by those sent', async (t) => {
  const { app, send, asset_id, path } = await start(t);
  const put = async (credentials: object[]) => (await send('PUT', path, { credentials })).body.data.credentials;
  const [root, guest] = (await put([
    { label: 'Root', password: 'one' },
    { label: 'Zoe', password: 'two' },
  ])) as any[];
  t.like(root, { label: 'Root', password: '********', has_password: true });
  // A response can be sent back unchanged; omitted entries are removed.
  const after = await put([{ ...root, label: 'Admin' }, { label: 'New' }]);
  t.deepEqual(
    after.map((each: any) => [each.label, each.has_password, each.login_id === root.login_id]),
    [
      ['Admin', true, true],
      ['New', false, false],
    ],
  );
  t.is(await app.app.database.countBy(AssetCredential, { login_id: guest.login_id }), 0);
  t.is((await send('PUT', path, { credentials: [{ login_id: guest.login_id }] })).status, 400);
  const technician = await asTechnician(app);
  const { body } = await technician('POST', revealPath(asset_id, root.login_id), {});
  t.deepEqual(body.data, { login_id: root.login_id, asset_id, label: 'Admin', username: '', password: 'one' });
});

test('List the logins of all assets: filtered by company and text, never with a password', async (t) => {
  const { app, send, company_number, path } = await start(t);
  const { company_number: elsewhere } = await seedCompany(app, 'Elsewhere');
  const other = await seedAsset(app, { company_number: elsewhere, machine_name: 'NAS' });
  const login = { label: 'Root', username: 'root', password: 'hunter2' };
  const ours = { label: 'Backup console', url: 'https://backup.example', provider_only: true };
  await send('PUT', path, { credentials: [login, ours] });
  await send('PUT', `/assets.php?id=${other.asset_id}`, { credentials: [{ ...login, label: 'Root of NAS' }] });
  const listed = async (query: string) => {
    const { status, body } = await send('GET', `/assets/credentials.php?${query}`);
    return [status, body.data.map((each: any) => [each.machine_name, each.label, each.password])];
  };
  t.deepEqual(await listed(`company_number=${company_number}`), [
    200,
    [
      ['PC', 'Backup console', null],
      ['PC', 'Root', '********'],
    ],
  ]);
  t.deepEqual(await listed('search=ROOT'), [
    200,
    [
      ['PC', 'Root', '********'],
      ['NAS', 'Root of NAS', '********'],
    ],
  ]);
  t.deepEqual(await listed('search=backup.example'), [200, [['PC', 'Backup console', null]]]);
  t.deepEqual(await listed('search=hunter2'), [200, []]);
  await send('DELETE', `/assets.php?id=${other.asset_id}`);
  t.deepEqual(await listed(`company_number=${elsewhere}`), [200, []]);
  const blind = await asKey(app, ['tickets:read']);
  t.is((await blind('GET', '/assets/credentials.php')).status, 403);
});

test('Reveal a password of any asset', async (t) => {
  const { app, send, company_number, asset_id, path } = await start(t);
  const body = { credentials: [{ label: 'Root', username: 'root', password: 'hunter2' }] };
  const [{ login_id }] = (await send('PUT', path, body)).body.data.credentials;
  const where = revealPath(asset_id, login_id);
  // Only keys that an administrator creates for this purpose may reveal passwords.
  t.is((await send('POST', where, {})).status, 403);
  const key = { type: 'admin', name: 'Vault', permissions: ['assets:write'], allow_reveal: true } as const;
  const { api_key: token } = await app.run((ctx) => createApiKey(ctx, key));
  t.is((await app.request('POST', staff + where, { token, body: {} })).body.data.password, 'hunter2');
  const technician = await asTechnician(app);
  const { status, headers, body: answer } = await technician('POST', where, {});
  t.is(status, 200);
  t.is(headers.get('cache-control'), 'no-store');
  t.deepEqual(answer.data, { login_id, asset_id, label: 'Root', username: 'root', password: 'hunter2' });
  const lines = await app.app.database.findBy(ActivityLine, { entity_type: 'asset_credential', action: 'update' });
  t.deepEqual(
    lines.map(({ description }) => description),
    ['Password of Root of PC revealed', 'Password of Root of PC revealed'],
  );
  const other = await seedAsset(app, { company_number });
  t.is((await technician('POST', revealPath(other.asset_id, login_id), {})).status, 404);
  t.is((await technician('GET', where)).status, 405);
  for (let i = 0; i < 9; i++) t.is((await technician('POST', where, {})).status, 200);
  const late = await technician('POST', where, {});
  t.is(late.status, 429);
  t.truthy(late.headers.get('retry-after'));
  // Every reveal is logged.
  t.is((await app.app.database.findBy(ActivityLine, { entity_type: 'asset_credential', action: 'update' })).length, 11);
});

test('Read the access log of an asset password', async (t) => {
  const { app, send, company_number, asset_id, path } = await start(t);
  const [{ login_id }, { login_id: second }] = (
    await send('PUT', path, {
      credentials: [
        { label: 'Root', password: 'hunter2' },
        { label: 'Guest', password: 'x' },
      ],
    })
  ).body.data.credentials.toReversed();
  const technician = await asTechnician(app);
  await technician('POST', revealPath(asset_id, login_id), {});
  await technician('POST', revealPath(asset_id, second), {});
  const history = (asset: number) => `/assets.php?action=credential-history&id=${asset}&login_id=${login_id}`;
  const { status, body } = await send('GET', history(asset_id));
  t.is(status, 200);
  t.deepEqual(
    body.data.map((each: any) => each.description),
    ['Password of Root of PC revealed', 'Credential Root created'],
  );
  t.is(body.pagination.total, 2);
  t.notRegex(JSON.stringify(body), /hunter2/);
  const other = await seedAsset(app, { company_number });
  t.is((await send('GET', history(other.asset_id))).status, 404);
  t.is((await send('GET', history(asset_id).replace(String(login_id), '99'))).status, 404);
  const reader = await asKey(app, ['assets:read']);
  t.is((await reader('GET', history(asset_id))).status, 403);
});

test('Reveal a password of an asset', async (t) => {
  const { app, company_number, asset_id } = await start(t);
  const editor = await asEmployee(app, await seedEmployee(app, { company_number, asset_edit: 'Modify' }));
  const reader = await asEmployee(app, await seedEmployee(app, { company_number, asset_edit: 'Read Only' }));
  const foreign = await asEmployee(app, await seedEmployee(app, { asset_edit: 'Modify' }));
  const { login_id } = (await editor('POST', `/assets/${asset_id}/credentials`, { label: 'R', password: 'hunter2' }))
    .body;
  const path = `/assets/${asset_id}/credentials/${login_id}/reveal`;
  const { status, body } = await editor('POST', path);
  t.is(status, 200);
  t.deepEqual(body, { success: true, login_id, asset_id, label: 'R', username: '', password: 'hunter2' });
  t.is((await reader('POST', path)).status, 403);
  t.is((await foreign('POST', path)).status, 404);
});

test('a sealed password decrypts only for its company, asset and login', async (t) => {
  const { app, send, asset_id, company_number, path } = await start(t);
  app.expectError(/credential-reveal.*request failed/);
  const other = await seedAsset(app, { company_number });
  const [{ login_id }] = (await send('PUT', path, { credentials: [{ label: 'A', password: 'one' }] })).body.data
    .credentials;
  const second = (
    await send('PUT', `/assets.php?id=${other.asset_id}`, { credentials: [{ label: 'B', password: 'two' }] })
  ).body.data.credentials[0];
  const stored = await app.app.database.findOneBy(AssetCredential, { login_id });
  await app.app.database.update(AssetCredential, { login_id: second.login_id }, { password: stored?.password ?? '' });
  const technician = await asTechnician(app);
  t.is((await technician('POST', revealPath(other.asset_id, second.login_id), {})).status, 500);
  t.is((await technician('POST', revealPath(asset_id, login_id), {})).body.data.password, 'one');
});

test('planted passwords never appear in responses, events, logs, errors, activity or plain text in the database', async (t) => {
  const canary = 'Canary-7f3a9c';
  const lines: string[] = [];
  const log = createLogger({ level: 'trace', destination: { write: (line) => void lines.push(line) } });
  const app = await startApp(t, { log });
  const send = await asKey(app, [...assetRights, 'settings:read', 'tickets:read']);
  const { company_number } = await seedCompany(app);
  const editor = await asEmployee(app, await seedEmployee(app, { company_number, asset_edit: 'Modify' }));
  const answers: string[] = [];
  const keep = async (answer: Promise<{ text: string }>) => void answers.push((await answer).text);
  const credentials = [{ label: 'Root', username: 'root', password: `${canary}-1` }];
  const made = await send('POST', '/assets.php', {
    company_number,
    machine_name: 'PC',
    serial_number: 'S',
    credentials,
  });
  answers.push(made.text);
  const { asset_id } = made.body.data;
  const [{ login_id }] = made.body.data.credentials;
  const portal = `/assets/${asset_id}/credentials`;
  await keep(editor('POST', portal, { label: 'Two', password: `${canary}-2` }));
  await keep(editor('PUT', `${portal}/${login_id}`, { password: `${canary}-3` }));
  // Errors do not echo the input either.
  await keep(editor('POST', portal, { password: `${canary}-4` }));
  await keep(editor('PUT', `${portal}/${login_id}`, { password: [`${canary}-5`] }));
  await keep(send('PUT', `/assets.php?id=${asset_id}`, { credentials: [{ login_id: 999, password: `${canary}-6` }] }));
  await keep(send('POST', '/assets.php', { company_number, machine_name: 'PC', serial_number: 's', credentials }));
  for (const path of ['', '?q=Canary', `/${asset_id}`, '/options', '/template'])
    await keep(editor('GET', `/assets${path}`));
  for (const path of [`?id=${asset_id}`, '?search=Canary', `?action=software&id=${asset_id}`])
    await keep(send('GET', `/assets.php${path}`));
  t.deepEqual(
    answers.filter((each) => each.includes(canary)),
    [],
  );
  const technician = await asTechnician(app);
  t.is((await technician('POST', revealPath(asset_id, login_id), {})).body.data.password, `${canary}-3`);
  const dump = JSON.stringify(await dumpOf(app));
  t.false(dump.includes(canary));
  t.true(dump.includes('v1.'), 'the sealed ones are there');
  t.false(lines.join('\n').includes(canary));
});

/** Returns every row of every table. */
async function dumpOf({ app: { database } }: TestApp): Promise<unknown[]> {
  const tables =
    database.dialect === 'sqlite'
      ? await database.query<{ name: string }>(sql`SELECT name FROM sqlite_master WHERE type = 'table'`)
      : await database.query<{ name: string }>(
          sql`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()`,
        );
  const rows: unknown[] = [];
  for (const { name } of tables) rows.push(await database.query({ text: `SELECT * FROM ${name}`, params: [] }));
  return rows;
}

test('Re-authenticate before revealing stored passwords', async (t) => {
  const { app, send, asset_id, path } = await start(t);
  const credentials = [{ label: 'Root', password: 'hunter2' }];
  const [{ login_id }] = (await send('PUT', path, { credentials })).body.data.credentials;
  const technician = await seedTechnician(app);
  const first = await asSignedIn(app, technician);
  const refused = await first('POST', revealPath(asset_id, login_id), {});
  t.is(refused.status, 403);
  t.like(refused.body, { success: false, error: 'Confirm your password or a code first', confirm_required: true });
  for (const [body, error] of [
    [{}, 'password or code is required'],
    [{ password: 'wrong' }, 'Current password is incorrect'],
    [{ code: '123456' }, 'code: no authenticator app is set up, send the password'],
  ] as const) {
    const answer = await first('POST', confirmPath, body);
    t.deepEqual([answer.status, answer.body.error], [400, error]);
  }
  t.is((await first('POST', revealPath(asset_id, login_id), {})).status, 403);
  t.is((await first('POST', confirmPath, { password })).status, 204);
  t.is((await first('POST', revealPath(asset_id, login_id), {})).body.data.password, 'hunter2');
  // Another session of the same person needs its own confirmation; a key has none.
  const second = await asSignedIn(app, technician);
  t.is((await second('POST', revealPath(asset_id, login_id), {})).status, 403);
  t.is((await send('POST', confirmPath, { password })).status, 403);
  const description = `${technician.name} re-authenticated`;
  t.is(await app.app.database.countBy(ActivityLine, { description }), 1);
});

test('an internal login is invisible to customers', async (t) => {
  const { app, send, company_number, asset_id, path } = await start(t);
  const editor = await asEmployee(app, await seedEmployee(app, { company_number, asset_edit: 'Modify' }));
  const credentials = [
    { label: 'Local admin', password: 'one', provider_only: true },
    { label: 'Printer', password: 'two' },
  ];
  const made = (await send('PUT', path, { credentials })).body.data.credentials;
  t.deepEqual(
    made.map((each: any) => [each.label, each.provider_only]),
    [
      ['Local admin', true],
      ['Printer', false],
    ],
  );
  const shown = (await editor('GET', `/assets/${asset_id}`)).body.credentials;
  t.deepEqual(
    shown.map((each: any) => [each.label, 'provider_only' in each]),
    [['Printer', false]],
  );
  const of = (login_id: number) => `/assets/${asset_id}/credentials/${login_id}`;
  for (const [method, more, body] of [
    ['PUT', '', { label: 'Mine now' }],
    ['DELETE', '', undefined],
    ['POST', '/reveal', undefined],
  ] as const) {
    const hidden = await editor(method, of(made[0].login_id) + more, body);
    const absent = await editor(method, of(9999) + more, body);
    t.is(hidden.status, 404);
    t.is(hidden.text, absent.text);
  }
  // Omitting the flag keeps its value.
  const kept = (await send('PUT', path, { credentials: [{ login_id: made[0].login_id, label: 'Domain admin' }] })).body;
  t.like(kept.data.credentials[0], { label: 'Domain admin', provider_only: true });
});
