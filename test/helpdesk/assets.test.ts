import { changeModules, findCompany } from '@keelson/modules/directory';
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedCompany, seedEmployee } from '../accounts-seed.ts';
import { seedAsset } from '../assets-seed.ts';
import { asEmployee, asKey } from '../tickets-seed.ts';

let app: TestApp;
test.before(async () => {
  app = await openApp();
});
test.after.always(() => app.close());

async function start() {
  const { company_number, customer } = await seedCompany(app);
  const reader = await seedEmployee(app, { company_number, asset_edit: 'Read Only' });
  const editor = await seedEmployee(app, { company_number, asset_edit: 'Modify' });
  const foreign = await seedAsset(app, { company_number: (await seedCompany(app)).company_number });
  const [read, edit] = [await asEmployee(app, reader), await asEmployee(app, editor)];
  return { company_number, customer, reader, editor, foreign, read, edit };
}

test('List your company’s assets', async (t) => {
  const { company_number, reader, read } = await start();
  const assigned_employee = reader.employee_number;
  await seedAsset(app, { company_number, machine_name: 'alpha', asset_type: 'Server' });
  await seedAsset(app, { company_number, machine_name: 'beta', asset_type: 'Laptop', assigned_employee });
  await seedAsset(app, { company_number, machine_name: 'gamma', asset_type: 'Laptop', status: 'retired' });
  const names = async (query: string) => {
    const { status, body } = await read('GET', `/assets${query}`);
    t.is(status, 200, JSON.stringify(body));
    t.is(body.pagination.total, body.assets.length);
    return body.assets.map((each: { machine_name: string }) => each.machine_name).join();
  };
  t.is(await names(''), 'gamma,beta,alpha');
  t.is(await names('?type=laptop'), 'gamma,beta');
  t.is(await names('?status=retired&type=Laptop'), 'gamma');
  t.is(await names('?q=ALP'), 'alpha');
  t.is(await names('?search=gam'), 'gamma');
  t.is(await names('?mine=true'), 'beta');
  t.is(await names('?mine=1&type=server'), '');
  t.is(await names('?mine=false'), 'gamma,beta,alpha');
  t.deepEqual((await read('GET', '/assets?per_page=2&page=2')).body.pagination, {
    page: 2,
    limit: 2,
    total: 3,
    total_pages: 2,
  });
  t.is((await read('GET', '/assets?mine=perhaps')).status, 400);
  const without = await asEmployee(app, await seedEmployee(app, { company_number }));
  t.deepEqual((await without('GET', '/assets?mine=true')).body, { error: 'You do not have access to assets' });
  const admin = await asEmployee(app, await seedEmployee(app, { company_number, it_privileges: true }));
  t.is((await admin('GET', '/assets')).status, 200);
  await app.run(async (ctx) => changeModules(ctx, await findCompany(ctx, company_number), { assets: false }));
  const off = await read('GET', '/assets');
  t.deepEqual([off.status, off.body], [403, { error: 'Assets module is disabled' }]);
});

test('Create an asset', async (t) => {
  const { company_number, customer, read, edit } = await start();
  const { status, body } = await edit('POST', '/assets', {
    machine_name: 'PC-1',
    company_number: 999,
    ip_address: '10.0.0.1',
  });
  t.is(status, 201, JSON.stringify(body));
  const { asset_id, asset_number, created_at, updated_at, ip_addresses } = body;
  t.deepEqual(body, {
    success: true,
    asset_id,
    asset_number,
    machine_name: 'PC-1',
    asset_type: '',
    serial_number: '',
    company_number,
    site_number: null,
    status: 'active',
    ip_address: '10.0.0.1',
    mac_address: '',
    manufacturer: '',
    model: '',
    operating_system: '',
    location: '',
    assigned_employee: null,
    purchase_date: null,
    warranty_expires: null,
    notes: '',
    source: 'manual',
    last_seen_at: null,
    created_at,
    updated_at,
    company_name: customer,
    site_name: null,
    assigned_employee_name: null,
    ports: [],
    credentials: [],
    licenses: [],
    contracts: [],
    ip_addresses,
  });
  t.is((await read('POST', '/assets', { machine_name: 'PC-2' })).status, 403);
  await edit('POST', '/assets', { machine_name: 'PC-3', serial_number: 'S' });
  const taken = await edit('POST', '/assets', { machine_name: 'PC-4', serial_number: 's' });
  t.deepEqual([taken.status, taken.body], [400, { error: 'serial_number s already exists' }]);
});

test('Read an asset', async (t) => {
  const { company_number, foreign, read, edit } = await start();
  const { asset_id } = await seedAsset(app, { company_number });
  await edit('POST', `/assets/${asset_id}/credentials`, { label: 'Root', password: 'hunter2' });
  const { status, body } = await edit('GET', `/assets/${asset_id}`);
  t.is(status, 200);
  t.like(body.credentials[0], { label: 'Root', password: '********', has_password: true });
  // Read-only callers do not see user names either (AS-08).
  t.deepEqual((await read('GET', `/assets/${asset_id}`)).body.credentials, []);
  t.deepEqual((await read('GET', `/assets/${foreign.asset_id}`)).body, { error: 'Asset not found' });
});

test('Update an asset', async (t) => {
  const { company_number, foreign, read, edit } = await start();
  const { asset_id } = await seedAsset(app, { company_number });
  const path = `/assets/${asset_id}`;
  const { status, body } = await edit('PUT', path, { machine_name: 'PC-9', location: 'Attic' });
  t.deepEqual([status, body.success, body.machine_name, body.location], [200, true, 'PC-9', 'Attic']);
  t.is((await read('PUT', path, { location: 'Cellar' })).status, 403);
  t.is((await edit('PUT', `/assets/${foreign.asset_id}`, { location: 'Cellar' })).status, 404);
  t.deepEqual((await edit('PUT', path, { colour: 'red' })).body, { error: 'No fields to update' });
});

test('Delete an asset', async (t) => {
  const { company_number, foreign, read, edit } = await start();
  const { asset_id } = await seedAsset(app, { company_number });
  t.is((await read('DELETE', `/assets/${asset_id}`)).status, 403);
  t.is((await edit('DELETE', `/assets/${foreign.asset_id}`)).status, 404);
  t.is((await edit('DELETE', `/assets/${asset_id}`)).status, 204);
  t.is((await edit('GET', `/assets/${asset_id}`)).status, 404);
});

test('List assets for selection', async (t) => {
  const { company_number, read } = await start();
  const b = await seedAsset(app, { company_number, machine_name: 'b' });
  const a = await seedAsset(app, { company_number, machine_name: 'a' });
  const { body } = await read('GET', '/assets/options');
  t.deepEqual(body.options, [
    { asset_id: a.asset_id, value: a.asset_id, label: 'a' },
    { asset_id: b.asset_id, value: b.asset_id, label: 'b' },
  ]);
  t.deepEqual(body.pagination, { page: 1, limit: 1000, total: 2, total_pages: 1 });
  t.is((await read('GET', '/assets/options?search=b')).body.options.length, 1);
});

test('Read the template for new assets', async (t) => {
  const { read } = await start();
  const { status, body } = await read('GET', '/assets/template');
  t.is(status, 200);
  t.deepEqual(body.fields[0], {
    name: 'machine_name',
    label: 'Name',
    type: 'text',
    required: true,
    options: [],
    max_length: 255,
  });
  t.true(body.csv_header.startsWith('machine_name,asset_type,serial_number,status'));
  t.is(body.sample.machine_name, 'LT-0042');
});

test('List an asset’s IP addresses', async (t) => {
  const { company_number, foreign, read } = await start();
  const ip_addresses = ['10.0.0.9', '10.0.0.10', '2001:db8::1'].map((ip_address) => ({ ip_address }));
  const { asset_id } = await seedAsset(app, { company_number, ip_addresses });
  const { body } = await read('GET', `/assets/${asset_id}/ip-addresses`);
  t.deepEqual(
    body.ip_addresses.map((each: any) => each.ip_address),
    ['10.0.0.9', '10.0.0.10', '2001:db8::1'],
  );
  t.deepEqual(body.ip_addresses[1], {
    ip_address: '10.0.0.10',
    mac_address: '',
    network_id: null,
    network_description: null,
    assignment_type: 'static',
    port_id: null,
    is_primary: false,
  });
  t.is(body.pagination.total, 3);
  t.is((await read('GET', `/assets/${foreign.asset_id}/ip-addresses`)).status, 404);
});

test('Add a port to an asset', async (t) => {
  const { company_number, foreign, read, edit } = await start();
  const { asset_id } = await seedAsset(app, { company_number });
  const { status, body } = await edit('POST', `/assets/${asset_id}/ports`, { port_number: 24, port_type: 'RJ45' });
  t.is(status, 201);
  t.like(body, { success: true, asset_id, port_number: 24, port_type: 'RJ45', status: 'unknown' });
  const again = await edit('POST', `/assets/${asset_id}/ports`, { port_number: 24 });
  t.deepEqual([again.status, again.body], [400, { error: 'port_number 24 already exists' }]);
  t.is((await read('POST', `/assets/${asset_id}/ports`, { port_number: 1 })).status, 403);
  t.is((await edit('POST', `/assets/${foreign.asset_id}/ports`, { port_number: 1 })).status, 404);
});

test('Update a port of an asset', async (t) => {
  const { company_number, edit } = await start();
  const { asset_id } = await seedAsset(app, { company_number });
  const path = `/assets/${asset_id}/ports`;
  const { port_id } = (await edit('POST', path, { port_number: 1 })).body;
  t.like((await edit('PUT', `${path}?port_id=${port_id}`, { notes: 'a' })).body, { success: true, notes: 'a' });
  t.like((await edit('PUT', path, { port_id, notes: 'b' })).body, { notes: 'b' });
  t.like((await edit('PUT', `${path}?port_id=${port_id}`, { port_id: 999, notes: 'c' })).body, { notes: 'c' });
  t.deepEqual((await edit('PUT', path, { notes: 'd' })).body, { error: 'port_id is required' });
  t.deepEqual((await edit('PUT', path, { port_id })).body, { error: 'No fields to update' });
  t.is((await edit('PUT', path, { port_id: 999, notes: 'e' })).status, 404);
});

test('Remove a port of an asset', async (t) => {
  const { company_number, edit } = await start();
  const { asset_id } = await seedAsset(app, { company_number });
  const path = `/assets/${asset_id}/ports`;
  const add = async (port_number: number) => (await edit('POST', path, { port_number })).body.port_id;
  const [one, two] = [await add(1), await add(2)];
  t.is((await edit('DELETE', path)).status, 400);
  t.is((await edit('DELETE', `${path}?port_id=${one}`)).status, 204);
  t.is((await edit('DELETE', path, { port_id: two })).status, 204);
  t.is((await edit('DELETE', `${path}?port_id=${one}`)).status, 404);
});

test('Add a login to an asset', async (t) => {
  const { company_number, foreign, editor, read, edit } = await start();
  const { asset_id } = await seedAsset(app, { company_number });
  const path = `/assets/${asset_id}/credentials`;
  const { status, body } = await edit('POST', path, { label: 'Root', username: 'root', password: ' hunter2 ' });
  t.is(status, 201);
  const { login_id, created_at, updated_at } = body;
  t.deepEqual(body, {
    success: true,
    login_id,
    asset_id,
    label: 'Root',
    username: 'root',
    url: '',
    notes: '',
    updated_by: `${editor.first_name} ${editor.last_name}`,
    created_at,
    updated_at,
    password: '********',
    has_password: true,
  });
  t.like((await edit('POST', path, { label: 'Nobody' })).body, { password: null, has_password: false });
  t.deepEqual((await edit('POST', path, { username: 'x' })).body, { error: 'label is required' });
  t.is((await read('POST', path, { label: 'x' })).status, 403);
  t.is((await edit('POST', `/assets/${foreign.asset_id}/credentials`, { label: 'x' })).status, 404);
});

test('Update a login of an asset: masked values are kept', async (t) => {
  const { company_number, edit } = await start();
  const { asset_id } = await seedAsset(app, { company_number });
  const path = `/assets/${asset_id}/credentials`;
  const { login_id } = (await edit('POST', path, { label: 'Root', password: 'hunter2' })).body;
  const one = `${path}/${login_id}`;
  const revealed = async () => (await edit('POST', `${one}/reveal`)).body.password;
  t.like((await edit('PUT', one, { label: 'Admin' })).body, { success: true, label: 'Admin', has_password: true });
  await edit('PUT', one, { password: '********' });
  t.is(await revealed(), 'hunter2');
  await edit('PUT', one, { password: 'hunter3' });
  t.is(await revealed(), 'hunter3');
  t.like((await edit('PUT', one, { password: null })).body, { password: null, has_password: false });
  t.is(await revealed(), null);
  await edit('PUT', one, { password: 'x' });
  t.like((await edit('PUT', one, { password: '' })).body, { has_password: false });
  t.is((await edit('PUT', `${path}/999`, { label: 'x' })).status, 404);
});

test('Delete a login of an asset', async (t) => {
  const { company_number, edit } = await start();
  const { asset_id } = await seedAsset(app, { company_number });
  const path = `/assets/${asset_id}/credentials`;
  const { login_id } = (await edit('POST', path, { label: 'Root', password: 'hunter2' })).body;
  const other = await seedAsset(app, { company_number });
  t.is((await edit('DELETE', `/assets/${other.asset_id}/credentials/${login_id}`)).status, 404);
  t.is((await edit('DELETE', `${path}/${login_id}`)).status, 204);
  t.is((await edit('DELETE', `${path}/${login_id}`)).status, 404);
});

test('a ticket links an asset its author may see, until the asset is deleted', async (t) => {
  const { company_number, foreign, editor, edit } = await start();
  const { asset_id } = await seedAsset(app, { company_number, machine_name: 'PC-1' });
  const sent = { subject: 'Broken', description: 'It hums' };
  const { status, body } = await edit('POST', '/tickets', { ...sent, asset_id });
  t.is(status, 201);
  const path = `/tickets/${body.ticket_id}`;
  t.deepEqual((await edit('GET', path)).body.asset, { asset_id, machine_name: 'PC-1' });
  t.is((await edit('GET', `/tickets/search?asset_id=${asset_id}`)).body.pagination.total, 1);
  const refusal = { error: 'asset_id must be an asset of the company' };
  t.deepEqual((await edit('POST', '/tickets', { ...sent, asset_id: foreign.asset_id })).body, refusal);
  const blind = await asEmployee(app, await seedEmployee(app, { company_number }));
  t.deepEqual((await blind('POST', '/tickets', { ...sent, asset_id })).body, refusal);
  t.is((await edit('PUT', path, { asset_id: null })).status, 200);
  t.is((await edit('GET', path)).body.asset, null);
  const staff = await asKey(app, ['tickets:read', 'tickets:write', 'assets:read']);
  const other = await seedAsset(app, { company_number, machine_name: 'PC-2' });
  const both = { asset_ids: [other.asset_id, asset_id] };
  const { data } = (await staff('PUT', `/tickets.php?id=${body.ticket_id}`, both)).body;
  t.deepEqual(
    data.assets.map((each: any) => each.machine_name),
    ['PC-1', 'PC-2'],
  );
  const { employee_number } = editor;
  const made = await staff('POST', '/tickets.php', { company_number, employee_number, subject: 'x', ...both });
  t.is((await staff('GET', `/tickets.php?id=${made.body.data.ticket_id}`)).body.data.assets.length, 2);
  await edit('DELETE', `/assets/${asset_id}`);
  t.deepEqual((await edit('GET', path)).body.asset, { asset_id: other.asset_id, machine_name: 'PC-2' });
});
