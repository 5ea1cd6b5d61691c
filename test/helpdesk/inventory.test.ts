import { create } from '@keelson/core';
import { changeModules, findCompany } from '@keelson/modules/directory';
import { createContract, createDomain, createLicense, createNetwork, Vlans } from '@keelson/modules/inventory';
import { createTicket, TicketAsset } from '@keelson/modules/tickets';
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedCompany, seedEmployee } from '../accounts-seed.ts';
import { seedAsset } from '../assets-seed.ts';
import { asEmployee, asKey } from '../tickets-seed.ts';

const now = '2026-03-02T09:00:00Z';
const times = { created_at: now, updated_at: now };

let app: TestApp;
let send: Awaited<ReturnType<typeof asEmployee>>;
let company: { company_number: number; company_name: string };
let foreign: number;
test.before(async () => {
  app = await openApp();
  const { company_number, customer } = await seedCompany(app);
  company = { company_number, company_name: customer };
  foreign = (await seedCompany(app)).company_number;
  send = await asEmployee(
    app,
    await seedEmployee(app, { company_number, asset_edit: 'Modify', can_view_billing: true }),
  );
});
test.after.always(() => app.close());

const whole = (n: number) => ({ page: 1, limit: 1000, total: n, total_pages: 1 });

test.serial('List your company’s networks, and show a network with its VLANs', async (t) => {
  const { company_number, company_name } = company;
  const add = (of: number) =>
    app.run((ctx) => createNetwork(ctx, { company_number: of, description: 'LAN', network_address: '10.0.0.0/8' }));
  const other = await add(foreign);
  const { network_id } = await add(company_number);
  const { vlan_id } = await app.run((ctx) =>
    create(ctx, Vlans, { company_number, network_id, vlan_number: 3, name: 'Three' }),
  );
  const place = { company_number, site_number: null };
  const network = {
    network_id,
    description: 'LAN',
    network_address: '10.0.0.0',
    subnet_mask: '255.0.0.0',
    gateway: '',
    ...place,
    dhcp_enabled: false,
    dns_servers: [],
    notes: '',
    ...times,
    company_name,
    site_name: null,
    vlan_count: 1,
  };
  const list = await send('GET', '/networks');
  t.is(list.status, 200);
  t.deepEqual(list.body, { networks: [network], pagination: whole(1) });
  t.deepEqual((await send('GET', '/networks?search=wan')).body.networks, []);
  const names = { company_name, site_name: null };
  const vlan = { vlan_id, vlan_number: 3, name: 'Three', description: '', network_id, ...place, ...times, ...names };
  t.deepEqual((await send('GET', `/networks/${network_id}`)).body, { ...network, vlans: [vlan] });
  const absent = await send('GET', '/networks/999999');
  t.is(absent.status, 404);
  t.deepEqual((await send('GET', `/networks/${other.network_id}`)).body, absent.body, 'as if it were not there');
});

test.serial('Show a network with its VLANs', async (t) => {
  const { networks } = (await send('GET', '/networks')).body;
  t.is((await send('GET', `/networks/${networks[0].network_id}`)).body.vlans.length, 1);
});

test.serial('List your company’s licenses', async (t) => {
  const { company_number, company_name } = company;
  const license = { name: 'Office', vendor: 'Microsoft', product_key: 'AAAAA-BBBBB-1A2B', cost: 10_000 };
  const { license_id } = await app.run((ctx) => createLicense(ctx, { company_number, ...license, seats: 5 }));
  await app.run((ctx) => createLicense(ctx, { company_number: foreign, ...license }));
  t.deepEqual((await send('GET', '/licenses?limit=5')).body, {
    licenses: [
      {
        license_id,
        name: 'Office',
        vendor: 'Microsoft',
        license_type: '',
        seats: 5,
        seats_used: 0,
        company_number,
        status: 'active',
        purchase_date: null,
        expires_at: null,
        notes: '',
        ...times,
        product_key: '****-1A2B',
        company_name,
        cost: 10,
        currency: 'USD',
      },
    ],
    pagination: { page: 1, limit: 5, total: 1, total_pages: 1 },
  });
  t.is((await send('GET', '/licenses?status=expired')).body.pagination.total, 0);
  t.is((await send('GET', '/licenses?search=micro')).body.pagination.total, 1);
  t.is((await send('GET', `/licenses?company_number=${foreign}`)).body.pagination.total, 1, 'the company is fixed');
});

test.serial('List your company’s contracts', async (t) => {
  const { company_number } = company;
  const add = (of: number, given: object = {}) =>
    app.run((ctx) => createContract(ctx, { company_number: of, name: 'Care', start_date: '2026-01-01', ...given }));
  await add(foreign);
  await add(company_number, { end_date: '2026-02-01' });
  const { contract_id } = await add(company_number, { value: 50_000 });
  const { body } = await send('GET', '/contracts?status=active');
  t.deepEqual(body.pagination, whole(1));
  t.like(body.contracts[0], { contract_id, status: 'active', value: 50, currency: 'USD', vendor_name: null });
  t.is((await send('GET', '/contracts')).body.contracts.length, 2);
  t.is((await send('GET', '/contracts?page=0')).status, 400);
});

test.serial('List your company’s domains', async (t) => {
  const { company_number, company_name } = company;
  const add = (of: number) => app.run((ctx) => createDomain(ctx, { company_number: of, domain_name: 'a.example' }));
  await add(foreign);
  const { domain_id } = await add(company_number);
  const rest = { registrar: '', registered_at: null, expires_at: null, auto_renew: false, name_servers: [], notes: '' };
  const domain = { domain_id, domain_name: 'a.example', company_number, ...rest, status: 'active', ...times };
  const domains = [{ ...domain, company_name, days_until_expiry: null }];
  t.deepEqual((await send('GET', '/domains')).body, { domains, pagination: whole(1) });
});

test.serial('Link a license to an asset: once, while seats are available, within your company', async (t) => {
  const { company_number } = company;
  const license = (of: number, seats: number | null) =>
    app.run((ctx) => createLicense(ctx, { company_number: of, name: 'CAD', seats, expires_at: '2026-01-01' }));
  const { license_id } = await license(company_number, 1);
  const other = await license(foreign, null);
  const { asset_id } = await seedAsset(app, { company_number });
  const second = await seedAsset(app, { company_number });
  const strange = await seedAsset(app, { company_number: foreign });
  const link = (asset: number, id: unknown) => send('POST', `/assets/${asset}/licenses`, { license_id: id });
  const linked = await link(asset_id, license_id);
  t.is(linked.status, 201, 'an expired license is still installed (AS-11)');
  t.like(linked.body, { success: true, license_id, seats: 1, seats_used: 1 });
  t.is((await link(asset_id, license_id)).body.error, 'The license is already linked to this asset');
  t.is((await link(second.asset_id, license_id)).body.error, 'The license has 1 seats but is linked to 2 assets');
  t.is((await link(asset_id, other.license_id)).body.error, 'license_id must be a license of the company');
  t.is((await link(asset_id, undefined)).body.error, 'license_id is required');
  t.is((await link(strange.asset_id, license_id)).status, 404);
});

test.serial('List the licenses of an asset', async (t) => {
  const { company_number } = company;
  const { asset_id } = await seedAsset(app, { company_number });
  const asset_ids = [asset_id];
  const { license_id } = await app.run((ctx) => createLicense(ctx, { company_number, name: 'AV', asset_ids }));
  const { body } = await send('GET', `/assets/${asset_id}/licenses`);
  t.deepEqual(body.pagination, whole(1));
  t.like(body.licenses[0], { license_id, name: 'AV', seats_used: 1 });
  t.like((await send('GET', `/assets/${asset_id}`)).body.licenses[0], { license_id, seats_used: 1 });
});

test.serial('Unlink a license from an asset', async (t) => {
  const { company_number } = company;
  const { asset_id } = await seedAsset(app, { company_number });
  const asset_ids = [asset_id];
  const { license_id } = await app.run((ctx) => createLicense(ctx, { company_number, name: 'AV', asset_ids }));
  const path = `/assets/${asset_id}/licenses/${license_id}`;
  t.is((await send('DELETE', path)).status, 204);
  t.is((await send('DELETE', path)).status, 404);
  t.deepEqual((await send('GET', `/assets/${asset_id}/licenses`)).body.licenses, []);
});

test.serial('List the contracts that cover an asset, and show them on the asset and its tickets', async (t) => {
  const { company_number } = company;
  const { asset_id } = await seedAsset(app, { company_number });
  const contract = { company_number, name: 'Warranty', start_date: '2026-01-01', contract_type: 'warranty' };
  const add = (asset_ids: number[]) => app.run((ctx) => createContract(ctx, { ...contract, asset_ids }));
  const other = await seedAsset(app, { company_number });
  const { contract_id } = await add([asset_id]);
  await add([other.asset_id]);
  const { body } = await send('GET', `/assets/${asset_id}/contracts`);
  t.deepEqual(body.pagination, whole(1));
  t.like(body.contracts[0], { contract_id, name: 'Warranty' });
  const short = {
    contract_id,
    name: 'Warranty',
    contract_type: 'warranty',
    status: 'active',
    start_date: '2026-01-01',
    end_date: null,
  };
  t.deepEqual((await send('GET', `/assets/${asset_id}`)).body.contracts, [short]);
  const { ticket_id } = await app.run((ctx) => createTicket(ctx, { company_number, subject: 'Fan' }));
  await app.app.database.insert(TicketAsset, { ticket_id, asset_id, created_at: app.clock.now() });
  const staff = await asKey(app, ['tickets:read', 'contracts:read']);
  const { contracts } = (await staff('GET', `/tickets.php?id=${ticket_id}`)).body.data;
  t.deepEqual(
    contracts.map((each: { name: string }) => each.name),
    ['Care', 'Warranty'],
    'the company’s own, and the asset’s',
  );
  t.deepEqual(contracts[1], short);
});

test.serial('a disabled module rejects its lists; licenses of assets also require the assets module', async (t) => {
  const { company_number } = company;
  const { asset_id } = await seedAsset(app, { company_number });
  const set = (modules: Record<string, boolean>) =>
    app.run(async (ctx) => changeModules(ctx, await findCompany(ctx, company_number), modules));
  await set({ inventory: false });
  for (const path of ['/networks', '/networks/1', '/licenses', '/contracts', '/domains']) {
    const answer = await send('GET', path);
    t.deepEqual([answer.status, answer.body], [403, { error: 'Inventory module is disabled' }], path);
  }
  t.is((await send('GET', `/assets/${asset_id}/licenses`)).status, 403);
  await set({ inventory: true });
  t.is((await send('GET', `/assets/${asset_id}/licenses`)).status, 200);
  await set({ assets: false });
  t.is((await send('GET', `/assets/${asset_id}/licenses`)).status, 403);
  t.is((await send('GET', '/licenses')).status, 200);
  await set({ assets: true });
});
