// A nested record is subject to its own permission and its module's switch.
import { openApp, testClock, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedCompany, seedEmployee } from '../accounts-seed.ts';
import { seedAsset } from '../assets-seed.ts';
import { asEmployee, asKey, seedTicket } from '../tickets-seed.ts';

let app: TestApp;
test.before(async () => {
  app = await openApp({ clock: testClock() });
});
test.after.always(() => app.close());

const everything = [
  ...['assets:read', 'assets:write', 'billing:read', 'companies:write', 'contracts:read', 'contracts:write'],
  ...['licenses:read', 'licenses:write', 'networks:read', 'networks:write', 'tickets:read', 'tickets:write'],
];

async function world() {
  const send = await asKey(app, everything);
  const { company_number } = await seedCompany(app);
  const { asset_id } = await seedAsset(app, { company_number });
  const given = { company_number, asset_ids: [asset_id], notes: 'Margin 40 %', customer_notes: 'Ask Ann' };
  const make = async (path: string, body: object) => (await send('POST', path, { ...given, ...body })).body.data;
  const { license_id } = await make('/licenses.php', { name: 'Office', vendor: 'Microsoft', cost: 99 });
  const { contract_id } = await make('/contracts.php', { name: 'Care', status: 'active', value: 1200, ...dates });
  const { ticket_id } = await seedTicket(app, { company_number, asset_ids: [asset_id] });
  const { project_id } = await make('/projects.php', { name: 'Move' });
  const milestones = `/projects.php?action=milestones&id=${project_id}`;
  const { milestone_id } = await make(milestones, { name: 'Cables', amount: 450 });
  return { send, company_number, asset_id, license_id, contract_id, ticket_id, milestones, milestone_id };
}
const dates = { contract_type: 'Support', start_date: '2026-01-01', end_date: '2027-01-01' };

test.serial('nested licences and contracts of an asset require their own permissions', async (t) => {
  const { asset_id, license_id, contract_id } = await world();
  const read = async (...permissions: string[]) => {
    const { body } = await (await asKey(app, ['assets:read', ...permissions]))('GET', `/assets.php?id=${asset_id}`);
    const { licenses, contracts } = body.data;
    return [licenses.map((each: any) => each.license_id), contracts.map((each: any) => each.contract_id)];
  };
  t.deepEqual(await read(), [[], []]);
  t.deepEqual(await read('licenses:read'), [[license_id], []]);
  t.deepEqual(await read('contracts:read'), [[], [contract_id]]);
});

test.serial('nested contracts of a ticket and milestone amounts require their own permissions', async (t) => {
  const { ticket_id, contract_id, milestones, milestone_id, send } = await world();
  const tickets = await asKey(app, ['tickets:read', 'tickets:write']);
  const path = `/tickets.php?id=${ticket_id}`;
  t.deepEqual((await tickets('GET', path)).body.data.contracts, []);
  const more = await asKey(app, ['tickets:read', 'contracts:read']);
  t.is((await more('GET', path)).body.data.contracts[0].contract_id, contract_id);
  t.is((await tickets('GET', milestones)).body.data[0].amount, null);
  // Sending a response back unchanged changes nothing.
  const one = `${milestones}&milestone_id=${milestone_id}`;
  t.is((await tickets('PUT', one, { name: 'All cables', amount: null })).status, 200);
  t.like((await send('GET', one)).body.data, { name: 'All cables', amount: 450 });
});

test.serial('customers see costs only with can_view_billing, and only customer-visible notes', async (t) => {
  const { company_number, asset_id } = await world();
  const see = async (can_view_billing: boolean) => {
    const person = await seedEmployee(app, { company_number, can_view_billing, asset_edit: 'Read Only' });
    const ask = await asEmployee(app, person);
    const [license] = (await ask('GET', '/licenses')).body.licenses;
    const [contract] = (await ask('GET', '/contracts')).body.contracts;
    const asset = await ask('GET', `/assets/${asset_id}`);
    const [project] = (await ask('GET', '/projects')).body.projects;
    const { body } = await ask('GET', `/projects/${project.project_id}`);
    t.false(JSON.stringify([license, contract, asset.body]).includes('Margin'));
    t.deepEqual([license.notes, contract.notes], ['Ask Ann', 'Ask Ann']);
    return [license.cost, contract.value, asset.body.licenses[0].cost, body.milestones[0].amount];
  };
  t.deepEqual(await see(false), [null, null, null, null]);
  t.deepEqual(await see(true), [99, 1200, 99, 450]);
});

test.serial('a disabled module hides its nested records', async (t) => {
  const { send, company_number, asset_id, ticket_id } = await world();
  const ask = await asEmployee(app, await seedEmployee(app, { company_number, asset_edit: 'Modify', ismgr: true }));
  const seen = async () => {
    const { licenses, contracts } = (await ask('GET', `/assets/${asset_id}`)).body;
    const statuses = ['licenses', 'contracts'].map(
      async (each) => (await ask('GET', `/assets/${asset_id}/${each}`)).status,
    );
    return [licenses.length, contracts.length, ...(await Promise.all(statuses))];
  };
  t.deepEqual(await seen(), [1, 1, 200, 200]);
  await send('PUT', `/companies.php?action=modules&id=${company_number}`, { modules: { inventory: false } });
  t.deepEqual(await seen(), [0, 0, 403, 403]);
  t.deepEqual((await ask('GET', `/tickets/${ticket_id}`)).body.contracts ?? [], []);
});

test.serial('the assets of a ticket are hidden while their module is disabled', async (t) => {
  const { send, company_number, ticket_id, asset_id } = await world();
  const ask = await asEmployee(app, await seedEmployee(app, { company_number, ismgr: true, it_privileges: true }));
  const seen = async () => (await ask('GET', `/tickets/${ticket_id}`)).body.asset?.asset_id ?? null;
  t.is(await seen(), asset_id);
  await send('PUT', `/companies.php?action=modules&id=${company_number}`, { modules: { assets: false } });
  t.is(await seen(), null);
});

test.serial('employees cannot refer to records of a disabled module', async (t) => {
  const { send, company_number, asset_id } = await world();
  const person = await seedEmployee(app, { company_number, it_privileges: true });
  const portal = await asEmployee(app, person);
  const vlan = (await send('POST', '/vlans.php', { company_number, vlan_number: 7, name: 'Guests' })).body.data;
  const backup = { company_number, asset_id, machine_name: 'pc', status: 'completed', external_id: 'b-1' };
  t.is((await send('POST', '/backup/records.php', backup)).status, 201);
  const [{ backup_id }] = (await send('GET', `/backup/records.php?company_number=${company_number}`)).body.data;
  const ports = `/assets/${asset_id}/ports`;
  const post = (path: string, body: object) => portal('POST', path, { description: 'As agreed', ...body });
  const turn = (modules: object) => send('PUT', `/companies.php?action=modules&id=${company_number}`, { modules });
  t.is((await post('/tickets', { subject: 'PC', asset_id })).status, 201);
  t.is((await post(ports, { port_name: 'eth0', vlan_id: vlan.vlan_id })).status, 201);
  await turn({ inventory: false });
  const port = await post(ports, { port_name: 'eth1', vlan_id: vlan.vlan_id });
  t.deepEqual([port.status, port.body.error ?? port.body.message], [400, 'vlan_id must be a VLAN of the company']);
  await turn({ inventory: true, assets: false });
  const ticket = await post('/tickets', { subject: 'PC', asset_id });
  const absent = await post('/tickets', { subject: 'PC', asset_id: 99_999 });
  t.deepEqual([ticket.status, ticket.body], [400, absent.body]);
  const own = (await post('/tickets', { subject: 'PC' })).body;
  t.is((await portal('PUT', `/tickets/${own.ticket_id ?? own.data.ticket_id}`, { asset_id })).status, 400);
  t.is((await post('/backup/restore-requests', { asset_id })).status, 400);
  const restore = await post('/backup/restore-requests', { backup_id });
  t.is(restore.status, 201);
  await turn({ assets: true });
});

test.serial('assets within other records require their own permission', async (t) => {
  const { send, company_number, asset_id, license_id, contract_id, ticket_id } = await world();
  const given = { company_number, name: 'Guests' };
  const { vlan_id } = (await send('POST', '/vlans.php', { ...given, vlan_number: 7 })).body.data;
  const { vendor_id } = (await send('POST', '/vendors.php', { name: 'Acme' })).body.data;
  await send('PUT', `/contracts.php?id=${contract_id}`, { vendor_id });
  const network = { ...given, description: 'Guests', network_address: '10.5.0.0', subnet_mask: '255.255.255.0' };
  const { network_id } = (await send('POST', '/networks.php', network)).body.data;
  const ip_addresses = [{ ip_address: '10.5.0.9', mac_address: '02:00:00:00:00:09' }];
  t.is((await send('PUT', `/assets.php?id=${asset_id}`, { ip_addresses })).status, 200);
  await send('POST', `/assets.php?action=ports&id=${asset_id}`, { port_name: 'eth0', vlan_id });
  const paths = {
    'licenses:read': `/licenses.php?id=${license_id}`,
    'contracts:read': `/contracts.php?id=${contract_id}`,
    'networks:read': `/networks.php?id=${network_id}`,
    'tickets:read': `/tickets.php?id=${ticket_id}`,
  };
  const named = async (path: string, ...permissions: string[]) => {
    const { status, text } = await (await asKey(app, permissions))('GET', path);
    t.is(status, 200, text);
    return text.includes('machine_name":"') || text.includes('02:00:00:00:00:09');
  };
  const vendor = `/vendors.php?id=${vendor_id}`;
  const all = [...Object.entries(paths), ['contracts:read', vendor], ['networks:read', `/vlans.php?id=${vlan_id}`]];
  for (const [permission = '', path = ''] of all) {
    t.true(await named(path, permission, 'assets:read'), path);
    t.false(await named(path, permission), path);
  }
  // A ticket may still be linked to an asset.
  const link = await asKey(app, ['tickets:read', 'tickets:write']);
  t.is((await link('POST', '/tickets.php', { company_number, subject: 'PC', asset_id })).status, 201);
});
