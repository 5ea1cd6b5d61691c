import { openApp, startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { AssetAddress, AssetCredential, AssetPort, AssetSoftware } from '../../modules/assets/entities/parts.ts';
import { ActivityLine } from '../../packages/log/activity.ts';
import { seedCompany, seedEmployee } from '../accounts-seed.ts';
import { assetEvents, assetRights, seedAsset } from '../assets-seed.ts';
import { asKey, seedSite } from '../tickets-seed.ts';

const now = '2026-03-02T09:00:00Z';

let shared: TestApp;
test.before(async () => {
  shared = await openApp();
});
test.after.always(() => shared.close());

async function start(app = shared) {
  const send = await asKey(app, [
    ...assetRights,
    'companies:read',
    'companies:write',
    'contacts:write',
    'contacts:access',
  ]);
  const { company_number, customer } = await seedCompany(app);
  return { app, send, company_number, customer };
}

test('Create an asset for a company', async (t) => {
  const { app, send, company_number, customer } = await start(await startApp(t));
  const { site_number } = await seedSite(app, company_number, 'Harbour');
  const { employee_number } = await seedEmployee(app, { company_number });
  const sent = {
    company_number,
    site_number,
    machine_name: ' LT-0042 ',
    asset_type: 'laptop',
    serial_number: '5CG1234XYZ',
    ip_address: '192.0.2.17',
    mac_address: '00-00-5E-00-53-17',
    manufacturer: 'HP',
    model: 'EliteBook 840',
    operating_system: 'Windows 11',
    location: 'Room 2.14',
    assigned_employee: employee_number,
    purchase_date: '2025-04-01',
    warranty_expires: '2028-03-31',
    notes: 'Scratched',
    software: [{ name: 'Firefox', version: '140', publisher: 'Mozilla', installed_at: '2025-06-24' }],
    credentials: [{ label: 'Admin', username: 'root', password: 's3cret' }],
  };
  const { status, body } = await send('POST', '/assets.php', sent);
  t.is(status, 201, JSON.stringify(body));
  const item = {
    asset_id: 1,
    asset_number: 1001,
    machine_name: 'LT-0042',
    asset_type: 'Laptop',
    serial_number: '5CG1234XYZ',
    company_number,
    site_number,
    status: 'active',
    ip_address: '192.0.2.17',
    mac_address: '00:00:5e:00:53:17',
    manufacturer: 'HP',
    model: 'EliteBook 840',
    operating_system: 'Windows 11',
    location: 'Room 2.14',
    assigned_employee: employee_number,
    purchase_date: '2025-04-01',
    warranty_expires: '2028-03-31',
    notes: 'Scratched',
    source: 'manual',
    last_seen_at: null,
    created_at: now,
    updated_at: now,
    company_name: customer,
    site_name: 'Harbour',
    assigned_employee_name: 'Erin Example',
  };
  const address = {
    ip_address: '192.0.2.17',
    mac_address: '00:00:5e:00:53:17',
    network_id: null,
    network_description: null,
    assignment_type: 'static',
    port_id: null,
    is_primary: true,
  };
  const login = {
    login_id: 1,
    asset_id: 1,
    label: 'Admin',
    username: 'root',
    password: '********',
    has_password: true,
    provider_only: false,
    url: '',
    notes: '',
    updated_by: body.data.credentials[0].updated_by,
    created_at: now,
    updated_at: now,
  };
  const program = {
    software_id: body.data.software[0].software_id,
    name: 'Firefox',
    version: '140',
    publisher: 'Mozilla',
    installed_at: '2025-06-24',
    source: 'manual',
  };
  const detail = {
    ...item,
    ports: [],
    credentials: [login],
    licenses: [],
    contracts: [],
    ip_addresses: [address],
    software: [program],
  };
  t.deepEqual(body, { success: true, data: detail });
  t.deepEqual((await send('GET', '/assets.php?id=1')).body, { success: true, data: detail });
  const events = await assetEvents(app);
  t.deepEqual(
    events.map((each) => each.name),
    ['asset.created'],
  );
  t.deepEqual(Object.keys(events[0]?.data).toSorted(), Object.keys(item).toSorted());
  t.deepEqual(
    (await app.app.database.findBy(ActivityLine, { entity_type: 'asset' })).map(({ description }) => description),
    ['Asset LT-0042 created'],
  );
});

test('Create an asset for a company: rejects invalid input', async (t) => {
  const { app, send, company_number } = await start();
  const other = (await seedCompany(app)).company_number;
  const { site_number } = await seedSite(app, other);
  const { employee_number } = await seedEmployee(app, { company_number: other });
  const refused = async (fields: object, error: string, status = 400) => {
    const answer = await send('POST', '/assets.php', { company_number, machine_name: 'PC', ...fields });
    t.deepEqual([answer.status, answer.body], [status, { success: false, error }]);
  };
  await refused({ machine_name: ' ' }, 'machine_name is required');
  await refused({ company_number: 999 }, 'company_number must be an existing company');
  await refused({ site_number }, 'site_number must be a site of the company');
  await refused({ assigned_employee: employee_number }, 'assigned_employee must be a contact of the company');
  await refused({ ip_address: '10.0.0.256' }, 'ip_address must be an IPv4 or IPv6 address');
  await refused({ mac_address: 'zz' }, 'mac_address must be a MAC address (six pairs of hexadecimal digits)');
  await refused({ warranty_expires: '2026-02-30' }, 'warranty_expires must be a date (YYYY-MM-DD)');
  await refused(
    { ip_addresses: [{ ip_address: '10.0.0.1' }, { ip_address: '10.0.0.1' }] },
    'ip_addresses must not contain duplicates',
  );
  await refused({ credentials: [{ login_id: 5 }] }, 'credentials must list logins of the asset, each once: 5');
  await refused({ credentials: [{ username: 'x' }] }, 'credentials.label is required');
  await seedAsset(app, { company_number, serial_number: 'ABC-1' });
  await refused({ serial_number: 'abc-1' }, 'serial_number abc-1 already exists', 409);
  t.is(
    (await send('POST', '/assets.php', { company_number: other, machine_name: 'PC', serial_number: 'ABC-1' })).status,
    201,
  );
});

test('List all assets', async (t) => {
  const { app, send, company_number } = await start(await startApp(t));
  const other = (await seedCompany(app)).company_number;
  const { site_number } = await seedSite(app, company_number);
  const names = async (query: string) => {
    const { status, body } = await send('GET', `/assets.php?${query}`);
    t.is(status, 200, JSON.stringify(body));
    t.is(body.pagination.total, body.data.length, query);
    return body.data.map((each: { machine_name: string }) => each.machine_name).join();
  };
  await seedAsset(app, { company_number, machine_name: 'alpha', asset_type: 'Server', ip_address: '10.1.2.3' });
  await seedAsset(app, { company_number, machine_name: 'beta', asset_type: 'Laptop', site_number, status: 'in_stock' });
  await seedAsset(app, { company_number: other, machine_name: 'gamma', asset_type: 'Laptop', serial_number: 'SN77' });
  t.is(await names(''), 'gamma,beta,alpha');
  t.is(await names(`company_number=${company_number}`), 'beta,alpha');
  t.is(await names(`site_number=${site_number}`), 'beta');
  t.is(await names(`site_number=${site_number}&company_number=${company_number}`), 'beta');
  t.is(await names(`site_number=${site_number}&company_number=${other}`), '');
  t.is(await names('type=LAPTOP'), 'gamma,beta');
  t.is(await names('status=in_stock'), 'beta');
  t.is(await names('status=all'), 'gamma,beta,alpha');
  t.is(await names(`type=laptop&status=active&company_number=${other}`), 'gamma');
  t.is(await names('search=sn-77'), 'gamma');
  t.is(await names('search=ALPH'), 'alpha');
  t.is(await names('search=10.1.2.3'), 'alpha');
  t.is(await names('search=1002'), 'beta');
  t.is(await names('company_number=999'), '');
  const page = await send('GET', '/assets.php?per_page=1&page=2');
  t.deepEqual(page.body.pagination, { page: 2, per_page: 1, total: 3, total_pages: 3 });
  t.is(page.body.data[0].machine_name, 'beta');
  t.is((await send('GET', '/assets.php?site_number=x')).status, 400);
  const company = (await send('GET', `/companies.php?id=${company_number}`)).body.data;
  t.is(company.statistics.asset_count, 2);
  t.is((await send('GET', `/sites.php?id=${site_number}`)).body.data.asset_count, 1);
});

test('Read an asset in full', async (t) => {
  const { send } = await start();
  t.deepEqual((await send('GET', '/assets.php?id=999')).body, { success: false, error: 'Asset not found' });
});

test('Update any asset', async (t) => {
  const { app, send, company_number } = await start(await startApp(t));
  const { asset_id } = await seedAsset(app, { company_number, machine_name: 'PC', ip_address: '10.0.0.1' });
  const path = `/assets.php?id=${asset_id}`;
  app.clock.set('2026-03-02T10:00:00.000Z');
  const { status, body } = await send('PUT', path, {
    machine_name: 'PC-1',
    status: 'In_Repair',
    ip_addresses: [
      { ip_address: '10.0.0.2', assignment_type: 'dhcp' },
      { ip_address: 'FE80::1', is_primary: true },
    ],
    software: [{ name: 'Vim' }, { name: 'Emacs' }],
    company_number: 999,
  });
  t.is(status, 200, JSON.stringify(body));
  t.like(body.data, {
    machine_name: 'PC-1',
    status: 'in_repair',
    ip_address: 'fe80::1',
    updated_at: '2026-03-02T10:00:00Z',
    company_number,
  });
  t.deepEqual(
    body.data.ip_addresses.map((each: any) => [each.ip_address, each.assignment_type, each.is_primary]),
    [
      ['fe80::1', 'static', true],
      ['10.0.0.2', 'dhcp', false],
    ],
  );
  t.deepEqual(
    body.data.software.map((each: any) => each.name),
    ['Emacs', 'Vim'],
  );
  const changedBy = (await assetEvents(app)).at(-1);
  t.like(changedBy, { name: 'asset.updated' });
  t.deepEqual([...((changedBy?.changed as string[]) ?? [])].toSorted(), [
    'ip_address',
    'ip_addresses',
    'machine_name',
    'software',
    'status',
  ]);
  // Repeating the update changes nothing (V-16).
  app.clock.set('2026-03-02T11:00:00.000Z');
  const again = await send('PUT', path, { machine_name: 'PC-1', software: [{ name: 'Emacs' }, { name: 'Vim' }] });
  t.is(again.body.data.updated_at, '2026-03-02T10:00:00Z');
  t.is((await assetEvents(app)).length, 2);
  const moved = await send('PUT', path, { ip_address: '10.0.0.2' });
  t.deepEqual(
    moved.body.data.ip_addresses.map((each: any) => [each.ip_address, each.assignment_type, each.is_primary]),
    [['10.0.0.2', 'dhcp', true]],
  );
  t.deepEqual((await send('PUT', path, { ip_address: '' })).body.data.ip_addresses, []);
  t.is((await send('PUT', path, {})).body.error, 'No fields to update');
  t.is((await send('PUT', '/assets.php?id=999', { machine_name: 'x' })).status, 404);
});

test('Update any asset: an address keeps its port when the MAC address changes', async (t) => {
  const { app, send, company_number } = await start();
  const { asset_id } = await seedAsset(app, { company_number });
  const { data } = (await send('POST', `/assets.php?action=ports&id=${asset_id}`, { port_number: 1 })).body;
  const port_id = data.port_id as number;
  const ip_addresses = [{ ip_address: '10.0.0.5', mac_address: '00:1a:2b:3c:4d:5e', port_id }];
  await send('PUT', `/assets.php?id=${asset_id}`, { ip_addresses });
  const { body } = await send('PUT', `/assets.php?id=${asset_id}`, { mac_address: '00:1a:2b:3c:4d:5f' });
  t.like(body.data.ip_addresses[0], { mac_address: '00:1a:2b:3c:4d:5f', port_id });
});

test('Delete any asset', async (t) => {
  const { app, send, company_number } = await start();
  const { asset_id } = await seedAsset(app, { company_number, serial_number: 'S1', ip_address: '10.0.0.1' });
  const path = `/assets.php?id=${asset_id}`;
  await send('PUT', path, { credentials: [{ label: 'Root', password: 'hunter2' }] });
  const held = await send('DELETE', `/companies.php?id=${company_number}`);
  t.deepEqual([held.status, held.body.error], [409, 'Company still has assets; set it inactive instead']);
  const { status, text } = await send('DELETE', path);
  t.deepEqual([status, text], [204, '']);
  t.is((await send('GET', path)).status, 404);
  t.is((await send('DELETE', path)).status, 404);
  t.is((await send('GET', `/assets.php?company_number=${company_number}`)).body.pagination.total, 0);
  for (const part of [AssetCredential, AssetAddress, AssetPort, AssetSoftware])
    t.is(await app.app.database.countBy(part, { asset_id }), 0, part.name);
  // Its serial number is available again (V-25).
  t.is((await send('POST', '/assets.php', { company_number, machine_name: 'New', serial_number: 's1' })).status, 201);
});

test('List an asset’s ports', async (t) => {
  const { app, send, company_number } = await start();
  const { asset_id } = await seedAsset(app, { company_number });
  const path = `/assets.php?action=ports&id=${asset_id}`;
  for (const port_number of [2, 1]) await send('POST', path, { port_number });
  await send('POST', path, { port_name: 'mgmt' });
  const { status, body } = await send('GET', path);
  t.is(status, 200);
  t.deepEqual(
    body.data.map((each: any) => each.port_number ?? each.port_name),
    [1, 2, 'mgmt'],
  );
  t.is((await send('GET', '/assets.php?action=ports&id=999')).status, 404);
});

test('Add a port to any asset', async (t) => {
  const { app, send, company_number } = await start();
  const a = await seedAsset(app, { company_number });
  const b = await seedAsset(app, { company_number });
  const foreign = await seedAsset(app, { company_number: (await seedCompany(app)).company_number });
  const path = (id: number) => `/assets.php?action=ports&id=${id}`;
  const first = await send('POST', path(a.asset_id), { port_number: 1, speed_mbps: 1000, status: 'UP' });
  t.is(first.status, 201);
  const { port_id } = first.body.data;
  t.deepEqual(first.body.data, {
    port_id,
    asset_id: a.asset_id,
    port_number: 1,
    port_name: '',
    port_type: '',
    mac_address: '',
    speed_mbps: 1000,
    vlan_id: null,
    connected_asset_id: null,
    connected_port_id: null,
    status: 'up',
    notes: '',
    created_at: now,
    updated_at: now,
  });
  const ownEvents = (await assetEvents(app)).filter((each) => each.data.asset_id === a.asset_id);
  t.deepEqual(ownEvents.at(-1)?.changed, ['ports']);
  const second = await send('POST', path(b.asset_id), { port_name: 'eth0', connected_port_id: port_id });
  t.like(second.body.data, { connected_asset_id: a.asset_id, connected_port_id: port_id });
  // Both ends of the cable are set.
  const [there] = (await send('GET', path(a.asset_id))).body.data;
  t.like(there, { connected_asset_id: b.asset_id, connected_port_id: second.body.data.port_id });
  const refused = async (fields: object, error: string, status = 400) => {
    const answer = await send('POST', path(a.asset_id), { port_number: 9, ...fields });
    t.deepEqual([answer.status, answer.body.error], [status, error]);
  };
  await refused({ port_number: 1 }, 'port_number 1 already exists', 409);
  await refused({ port_number: null }, 'port_number or port_name is required');
  await refused({ vlan_id: 7 }, 'vlan_id must be a VLAN of the company');
  await refused({ connected_asset_id: foreign.asset_id }, 'connected_asset_id must be an asset of the company');
  await refused({ connected_port_id: 999 }, 'connected_port_id must be a port of an asset of the company');
  await refused(
    { connected_asset_id: a.asset_id, connected_port_id: second.body.data.port_id },
    'connected_port_id must be a port of the connected asset',
  );
});

async function threePorts() {
  const { app, send, company_number } = await start();
  const assets: number[] = [];
  const ports: number[] = [];
  const path = (i: number) => `/assets.php?action=ports&id=${assets[i]}`;
  for (const i of [0, 1, 2]) {
    assets.push((await seedAsset(app, { company_number })).asset_id);
    ports.push((await send('POST', path(i), { port_number: 1 })).body.data.port_id);
  }
  /** Returns, per port, the port at the other end of its cable. */
  const ends = async () => {
    const rows = await Promise.all([0, 1, 2].map((i) => send('GET', path(i))));
    return rows.map(({ body }) => ports.indexOf(body.data[0]?.connected_port_id));
  };
  const put = (i: number, fields: object) => send('PUT', `${path(i)}&port_id=${ports[i]}`, fields);
  return { send, assets, ports, path, put, ends };
}

test('Update a port of any asset', async (t) => {
  const { assets, ports, put, ends } = await threePorts();
  const { status, body } = await put(0, { connected_port_id: ports[1], notes: 'blue' });
  t.is(status, 200);
  t.like(body.data, { notes: 'blue', connected_asset_id: assets[1], connected_port_id: ports[1] });
  t.deepEqual(await ends(), [1, 0, -1]);
  // A new cable replaces the first one, whose other end becomes free.
  await put(2, { connected_port_id: ports[1] });
  t.deepEqual(await ends(), [-1, 2, 1]);
  await put(1, { connected_port_id: null });
  t.deepEqual(await ends(), [-1, -1, -1]);
  t.like((await put(0, { connected_asset_id: assets[2] })).body.data, { connected_asset_id: assets[2] });
  t.like((await put(0, {})).body, { error: 'No fields to update' });
  t.is((await put(0, { connected_port_id: ports[0] })).body.error, 'connected_port_id must be a different port');
});

test('Remove a port of any asset', async (t) => {
  const { send, ports, path, put, ends } = await threePorts();
  await put(0, { connected_port_id: ports[1] });
  t.is((await send('DELETE', `${path(0)}&port_id=${ports[1]}`)).status, 404);
  t.is((await send('DELETE', `${path(1)}&port_id=${ports[1]}`)).status, 204);
  t.is((await send('DELETE', `${path(1)}&port_id=${ports[1]}`)).status, 404);
  t.deepEqual(await ends(), [-1, -1, -1]);
  t.is((await send('DELETE', path(1))).status, 400);
});

test('List the software on an asset', async (t) => {
  const { app, send, company_number } = await start();
  const { asset_id } = await seedAsset(app, { company_number, software: [{ name: 'Vim' }, { name: 'Emacs' }] });
  const { status, body } = await send('GET', `/assets.php?action=software&id=${asset_id}`);
  t.is(status, 200);
  t.deepEqual(
    body.data.map((each: any) => ({ ...each, software_id: 0 })),
    ['Emacs', 'Vim'].map((name) => ({
      software_id: 0,
      name,
      version: '',
      publisher: '',
      installed_at: null,
      source: 'manual',
    })),
  );
  t.is((await send('GET', '/assets.php?action=software&id=999')).status, 404);
});
