import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedCompany, unique } from '../accounts-seed.ts';
import { seedAsset } from '../assets-seed.ts';
import { asKey, seedSite } from '../tickets-seed.ts';

const networks = '/networks.php';
const vlans = '/vlans.php';
const now = '2026-03-02T09:00:00Z';

let app: TestApp;
let send: Awaited<ReturnType<typeof asKey>>;
test.before(async () => {
  app = await openApp();
  send = await asKey(app, ['networks:read', 'networks:write', 'assets:read', 'assets:write', 'companies:write']);
});
test.after.always(() => app.close());

async function add(body: Record<string, unknown> = {}, path = networks) {
  const company_number = body['company_number'] ?? (await seedCompany(app)).company_number;
  const usual =
    path === networks ? { description: unique('LAN'), network_address: '10.0.0.0/24' } : { vlan_number: 1, name: 'V' };
  return (await send('POST', path, { ...usual, ...body, company_number })).body.data;
}
const refused = async (path: string, body: unknown, method = 'POST') => {
  const answer = await send(method, path, body);
  return answer.status === 400 ? answer.body.error : answer.status;
};

test.serial('Create a network: returns the full record, for both families', async (t) => {
  const { company_number, customer } = await seedCompany(app);
  const { site_number } = await seedSite(app, company_number, 'Depot');
  const body = {
    description: 'Office',
    gateway: '192.168.4.1',
    company_number,
    site_number,
    dhcp_enabled: true,
    dns_servers: ['192.168.4.2', '2001:db8::53'],
    notes: 'Old',
    customer_notes: 'Ask Ann',
  };
  const answer = await send('POST', networks, { ...body, network_address: '192.168.4.0', subnet_mask: '/22' });
  t.is(answer.status, 201);
  t.deepEqual(answer.body, {
    success: true,
    data: {
      network_id: answer.body.data.network_id,
      ...body,
      network_address: '192.168.4.0',
      subnet_mask: '255.255.252.0',
      created_at: now,
      updated_at: now,
      company_name: customer,
      site_name: 'Depot',
      vlan_count: 0,
      vlans: [],
      ip_assignments: [],
    },
  });
  t.like(await add({ company_number, network_address: '2001:DB8:0::/64', gateway: '2001:db8:0:0:0::1' }), {
    network_address: '2001:db8::',
    subnet_mask: '/64',
    gateway: '2001:db8::1',
    site_number: null,
    site_name: null,
  });
});

test.serial('Create a network: address, mask and gateway must match and be unused at the site', async (t) => {
  const { company_number } = await seedCompany(app);
  const { site_number } = await seedSite(app, (await seedCompany(app)).company_number);
  const of = (range: object) => refused(networks, { company_number, description: 'X', ...range });
  t.is(await refused(networks, {}), 'company_number is required; description is required; network_address is required');
  t.is(await of({ network_address: '10.1' }), 'network_address must be an IPv4 or IPv6 address, or a CIDR range');
  t.is(await of({ network_address: '10.1.0.0' }), 'subnet_mask is required');
  t.is(await of({ network_address: '10.1.0.0', subnet_mask: '255.0.255.0' }), 'subnet_mask must be a mask for IPv4');
  t.is(await of({ network_address: '2001:db8::', subnet_mask: '255.255.0.0' }), 'subnet_mask must be a mask for IPv6');
  t.is(await of({ network_address: '10.1.0.0/16', subnet_mask: '/24' }), 'subnet_mask must match network_address');
  t.is(
    await of({ network_address: '10.1.0.9/16' }),
    'network_address must be the first address of its network, 10.1.0.0',
  );
  t.is(await of({ network_address: '10.1.0.0/16', gateway: '10.2.0.1' }), 'gateway must be an address of the network');
  t.is(await of({ network_address: '10.1.0.0/16', gateway: '::1' }), 'gateway must be an address of the network');
  t.is(await of({ network_address: '10.1.0.0/16', site_number }), 'site_number must be a site of the company');
  t.is(
    await of({ network_address: '10.1.0.0/16', dns_servers: ['x'] }),
    'dns_servers[0] must be an IPv4 or IPv6 address',
  );
  t.is(await of({ network_address: '10.1.0.0/16' }), 201);
  t.is(await of({ network_address: '10.1.0.0/24' }), 409);
  const own = await seedSite(app, company_number);
  t.is(await of({ network_address: '10.1.0.0/16', site_number: own.site_number }), 201, 'elsewhere it is another one');
});

test.serial('List all networks: by company, site, address and text, paged', async (t) => {
  const { company_number } = await seedCompany(app);
  const { site_number } = await seedSite(app, company_number);
  await add({ company_number, description: 'Guests', network_address: '10.9.0.0/16' });
  await add({ company_number, description: 'Servers', network_address: '10.9.8.0/24', site_number });
  const last = await add({ company_number, description: 'Six', network_address: '2001:db8:9::/48' });
  const { vlans: _, ip_assignments: __, ...item } = last;
  const read = (query: string) => send('GET', `${networks}?company_number=${company_number}&${query}`);
  t.deepEqual((await read('per_page=1')).body, {
    success: true,
    data: [item],
    pagination: { page: 1, per_page: 1, total: 3, total_pages: 3 },
  });
  const names = async (query: string) =>
    (await read(query)).body.data.map((each: { description: string }) => each.description);
  t.deepEqual(await names(`site_number=${site_number}`), ['Servers']);
  t.deepEqual(await names('search=guest'), ['Guests']);
  t.deepEqual(await names('address=10.9.8.7'), ['Servers', 'Guests']);
  t.deepEqual(await names('address=10.10.0.0'), []);
  t.deepEqual(await names('address=2001:db8:9:ffff::'), ['Six']);
  t.is((await read('address=x')).status, 400);
});

test.serial('Read a network with its VLANs and addresses', async (t) => {
  const { company_number } = await seedCompany(app);
  const network = await add({ company_number, network_address: '10.7.0.0/29' });
  const vlan = await add({ company_number, vlan_number: 7, name: 'Seven', network_id: network.network_id }, vlans);
  const high = await seedAsset(app, { company_number, ip_address: '10.7.0.6', mac_address: 'aa:bb:cc:dd:ee:06' });
  const low = await seedAsset(app, { company_number, ip_address: '10.7.0.2' });
  await seedAsset(app, { company_number, ip_address: '10.7.0.8' });
  await seedAsset(app, { company_number: (await seedCompany(app)).company_number, ip_address: '10.7.0.3' });
  const { data } = (await send('GET', `${networks}?id=${network.network_id}`)).body;
  const { ports: _, ...shown } = vlan;
  const assigned = ({ asset_id, machine_name }: typeof low, ip_address: string, mac_address: string) => ({
    ip_address,
    asset_id,
    machine_name,
    mac_address,
    assignment_type: 'static',
  });
  t.deepEqual(data, {
    ...network,
    vlan_count: 1,
    vlans: [shown],
    ip_assignments: [assigned(low, '10.7.0.2', ''), assigned(high, '10.7.0.6', 'aa:bb:cc:dd:ee:06')],
  });
  t.is((await send('GET', `${networks}?id=999999`)).status, 404);
  const { ip_addresses } = (await send('GET', `/assets.php?id=${low.asset_id}`)).body.data;
  t.like(ip_addresses[0], { network_id: network.network_id, network_description: network.description });
});

test.serial('List the free addresses of a network: unused ones except the gateway, lowest first', async (t) => {
  const { company_number } = await seedCompany(app);
  const of = async (network: string, gateway = '') =>
    (await add({ company_number, network_address: network, gateway })).network_id;
  const read = async (id: number, query = '') =>
    (await send('GET', `${networks}?action=free-addresses&id=${id}${query}`)).body.data;
  for (const ip_address of ['10.7.0.2', '10.7.0.5']) await seedAsset(app, { company_number, ip_address });
  const small = await of('10.7.0.0/29', '10.7.0.1');
  t.deepEqual(await read(small), {
    network_id: small,
    network_address: '10.7.0.0',
    first_usable: '10.7.0.1',
    last_usable: '10.7.0.6',
    used: 2,
    free: 3,
    addresses: ['10.7.0.3', '10.7.0.4', '10.7.0.6'],
  });
  t.deepEqual((await read(small, '&limit=1&after=10.7.0.3')).addresses, ['10.7.0.4']);
  t.deepEqual((await read(small, '&after=10.7.0.6')).addresses, []);
  t.deepEqual((await read(await of('10.8.0.4/31'))).addresses, ['10.8.0.4', '10.8.0.5']);
  const six = await read(await of('2001:db8::/64'), '&limit=2&after=2001:db8::ff');
  t.deepEqual([six.free, six.addresses], [null, ['2001:db8::100', '2001:db8::101']]);
  t.is((await send('GET', `${networks}?action=free-addresses&id=${small}&after=x`)).status, 400);
  t.is((await send('GET', `${networks}?action=free-addresses&id=${small}&limit=257`)).status, 400);
});

test.serial('networks of two sites with one range show only the assets of their site', async (t) => {
  const { company_number } = await seedCompany(app);
  const north = await seedSite(app, company_number, 'North');
  const south = await seedSite(app, company_number, 'South');
  const range = { company_number, network_address: '10.7.0.0/29' };
  const at = async (site_number: number) => (await add({ ...range, site_number })).network_id;
  const [northern, southern] = [await at(north.site_number), await at(south.site_number)];
  const asset = (site_number: number | null, ip_address: string) =>
    seedAsset(app, { company_number, site_number, ip_address });
  const northernAsset = await asset(north.site_number, '10.7.0.2');
  const southernAsset = await asset(south.site_number, '10.7.0.2');
  await asset(south.site_number, '10.7.0.3');
  const nowhere = await asset(null, '10.7.0.5');
  // At the southern site, two assets have the same address.
  await asset(south.site_number, '10.7.0.3');
  const addresses = async (id: number) =>
    (await send('GET', `${networks}?id=${id}`)).body.data.ip_assignments.map((each: any) => each.ip_address);
  t.deepEqual(await addresses(northern), ['10.7.0.2', '10.7.0.5']);
  t.deepEqual(await addresses(southern), ['10.7.0.2', '10.7.0.3', '10.7.0.3', '10.7.0.5']);
  const free = async (id: number) => (await send('GET', `${networks}?action=free-addresses&id=${id}`)).body.data;
  t.like(await free(northern), { used: 2, free: 4, addresses: ['10.7.0.1', '10.7.0.3', '10.7.0.4', '10.7.0.6'] });
  t.like(await free(southern), { used: 3, free: 3, addresses: ['10.7.0.1', '10.7.0.4', '10.7.0.6'] });
  const networkOf = async ({ asset_id }: { asset_id: number }) =>
    (await send('GET', `/assets.php?id=${asset_id}`)).body.data.ip_addresses[0].network_id;
  t.is(await networkOf(northernAsset), northern);
  t.is(await networkOf(southernAsset), southern);
  const general = (await add(range)).network_id;
  t.deepEqual(await addresses(general), ['10.7.0.2', '10.7.0.2', '10.7.0.3', '10.7.0.3', '10.7.0.5']);
  t.like(await free(general), { used: 3, free: 3 });
  t.is(await networkOf(southernAsset), southern, 'the network of its own site comes first');
  t.is(await networkOf(nowhere), general);
});

test.serial('Update a network: its range stays consistent', async (t) => {
  const { company_number } = await seedCompany(app);
  await add({ company_number, network_address: '10.5.0.0/16' });
  const { network_id } = await add({ company_number, network_address: '10.6.0.0/16', gateway: '10.6.0.1' });
  const path = `${networks}?id=${network_id}`;
  const put = (body: unknown) => refused(path, body, 'PUT');
  t.is(await put({ subnet_mask: '255.255.255.0' }), 200);
  t.is(await put({ network_address: '10.6.1.0' }), 'gateway must be an address of the network');
  t.like((await send('PUT', path, { network_address: '10.6.1.0', gateway: '10.6.1.1' })).body.data, {
    network_address: '10.6.1.0',
    subnet_mask: '255.255.255.0',
    gateway: '10.6.1.1',
  });
  t.like((await send('PUT', path, { network_address: '2001:db8::/56', gateway: null })).body.data, {
    network_address: '2001:db8::',
    subnet_mask: '/56',
    gateway: '',
  });
  t.is(await put({ network_address: '10.5.0.0/24' }), 409);
  t.is(await put({}), 'No fields to update');
});

test.serial('Delete a network: its VLANs stay without it', async (t) => {
  const { company_number } = await seedCompany(app);
  const { network_id } = await add({ company_number });
  const { vlan_id } = await add({ company_number, network_id }, vlans);
  t.is((await send('DELETE', `${networks}?id=${network_id}`)).status, 204);
  t.is((await send('GET', `${networks}?id=${network_id}`)).status, 404);
  t.is((await send('GET', `${vlans}?id=${vlan_id}`)).body.data.network_id, null);
  t.is(
    (await send('POST', networks, { company_number, description: 'Again', network_address: '10.0.0.0/24' })).status,
    201,
  );
});

test.serial('Create a VLAN: returns the full record; reports invalid input and duplicate numbers', async (t) => {
  const { company_number, customer } = await seedCompany(app);
  const { network_id } = await add({ company_number });
  const elsewhere = await add();
  const body = { vlan_number: 20, name: 'Phones', description: 'SIP', network_id, company_number };
  const answer = await send('POST', vlans, body);
  t.is(answer.status, 201);
  const { vlan_id } = answer.body.data;
  const place = { site_number: null, company_name: customer, site_name: null };
  const times = { created_at: now, updated_at: now };
  t.deepEqual(answer.body, { success: true, data: { vlan_id, ...body, ...place, ...times, ports: [] } });
  t.is(await refused(vlans, {}), 'company_number is required; vlan_number is required; name is required');
  t.is(await refused(vlans, { ...body, vlan_number: 4095 }), 'vlan_number must be between 1 and 4094');
  t.is(
    await refused(vlans, { ...body, vlan_number: 21, network_id: elsewhere.network_id }),
    'network_id must be a network of the company',
  );
  t.is(await refused(vlans, body), 409);
  const { site_number } = await seedSite(app, company_number);
  t.is(await refused(vlans, { ...body, site_number }), 201, 'elsewhere it is another one');
});

test.serial('List VLANs: by company and site, paged', async (t) => {
  const { company_number } = await seedCompany(app);
  const { site_number } = await seedSite(app, company_number);
  await add({ company_number, vlan_number: 1 }, vlans);
  const { ports: _, ...last } = await add({ company_number, vlan_number: 2, site_number }, vlans);
  const read = (query: string) => send('GET', `${vlans}?company_number=${company_number}&${query}`);
  t.deepEqual((await read('per_page=1')).body, {
    success: true,
    data: [last],
    pagination: { page: 1, per_page: 1, total: 2, total_pages: 2 },
  });
  t.is((await read(`site_number=${site_number}`)).body.pagination.total, 1);
});

test.serial('Read a VLAN with its ports', async (t) => {
  const { company_number } = await seedCompany(app);
  const vlan = await add({ company_number, vlan_number: 30 }, vlans);
  const { asset_id, machine_name } = await seedAsset(app, { company_number });
  const port = { port_name: 'ge-0/0/1', vlan_id: vlan.vlan_id };
  const made = await send('POST', `/assets.php?action=ports&id=${asset_id}`, port);
  t.is(made.status, 201);
  t.deepEqual((await send('GET', `${vlans}?id=${vlan.vlan_id}`)).body.data, {
    ...vlan,
    ports: [{ port_id: made.body.data.port_id, asset_id, machine_name, port_name: 'ge-0/0/1' }],
  });
  const stranger = await add({}, vlans);
  const wrong = await send('POST', `/assets.php?action=ports&id=${asset_id}`, { ...port, vlan_id: stranger.vlan_id });
  t.is(wrong.status, 400, 'a VLAN of another company');
  t.is((await send('GET', `${vlans}?id=999999`)).status, 404);
});

test.serial('Update a VLAN', async (t) => {
  const { company_number } = await seedCompany(app);
  await add({ company_number, vlan_number: 4 }, vlans);
  const { vlan_id } = await add({ company_number, vlan_number: 5 }, vlans);
  const path = `${vlans}?id=${vlan_id}`;
  t.like((await send('PUT', path, { name: 'New', vlan_number: 6 })).body.data, { name: 'New', vlan_number: 6 });
  t.is(await refused(path, { vlan_number: 4 }, 'PUT'), 409);
  t.is(await refused(path, { vlan_number: '4' }, 'PUT'), 'vlan_number must be a whole number');
});

test.serial('Delete a VLAN', async (t) => {
  const { vlan_id, company_number } = await add({}, vlans);
  t.is((await send('DELETE', `${vlans}?id=${vlan_id}`)).status, 204);
  t.is((await send('GET', `${vlans}?id=${vlan_id}`)).status, 404);
  t.is((await send('POST', vlans, { company_number, vlan_number: 1, name: 'Again' })).status, 201);
});
