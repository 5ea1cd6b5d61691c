import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedCompany } from '../accounts-seed.ts';
import { seedAsset } from '../assets-seed.ts';
import { asKey } from '../tickets-seed.ts';

const path = '/vendors.php';
const at = (id: number) => `${path}?id=${id}`;
const now = '2026-03-02T09:00:00Z';

let app: TestApp;
let send: Awaited<ReturnType<typeof asKey>>;
test.before(async () => {
  app = await openApp();
  send = await asKey(app, ['contracts:read', 'contracts:write', 'assets:read']);
});
test.after.always(() => app.close());

test.serial('Create a vendor: returns the full record; reports duplicate names and invalid input', async (t) => {
  const body = {
    name: 'Initech',
    contact_name: 'Bill Lumbergh',
    email: 'bill@initech.example',
    phone: '+1 555 0100',
    website: 'https://initech.example',
    address: '4120 Freidrich Ln',
    account_number: 'KD 77',
    notes: 'TPS reports',
    status: 'Inactive',
  };
  const answer = await send('POST', path, body);
  t.is(answer.status, 201);
  const { vendor_id } = answer.body.data;
  const times = { created_at: now, updated_at: now };
  const whole = { vendor_id, ...body, status: 'inactive', ...times, contracts: [], assets: [] };
  t.deepEqual(answer.body, { success: true, data: whole });
  const refused = async (wrong: unknown) => (await send('POST', path, wrong)).body.error;
  t.is((await send('POST', path, { name: ' INITECH ' })).status, 409);
  t.is(await refused({ name: ' INITECH ' }), 'name INITECH already exists');
  t.is(await refused({}), 'name is required');
  t.is(
    await refused({ name: 'X', email: 'no', website: 'ftp://x', status: 'gone' }),
    'email must be an email address; website must be an absolute http or https URL; status must be one of: active, inactive',
  );
});

test.serial('List vendors: by name, searched by name and contact, paged', async (t) => {
  for (const [name, contact_name] of [
    ['Zenith', 'Ada Öström'],
    ['Acme', 'Wile'],
  ])
    await send('POST', path, { name, contact_name });
  const { body } = await send('GET', `${path}?per_page=2`);
  t.deepEqual(
    body.data.map((each: { name: string }) => each.name),
    ['Acme', 'Initech'],
  );
  t.deepEqual(body.pagination, { page: 1, per_page: 2, total: 3, total_pages: 2 });
  t.false('contracts' in body.data[0]);
  const found = await send('GET', `${path}?search=ostrom`);
  t.is(found.body.pagination.total, 1);
  t.is((await send('GET', `${path}?page=0`)).status, 400);
});

test.serial('Read a vendor with its contracts and assets', async (t) => {
  const { company_number, customer } = await seedCompany(app);
  const { asset_id, machine_name } = await seedAsset(app, { company_number });
  const { vendor_id } = (await send('POST', path, { name: 'Dell' })).body.data;
  const contract = { company_number, name: 'ProSupport', start_date: '2026-01-01', vendor_id, asset_ids: [asset_id] };
  const { contract_id } = (await send('POST', '/contracts.php', contract)).body.data;
  const { data } = (await send('GET', at(vendor_id))).body;
  t.deepEqual(data.assets, [{ asset_id, machine_name, asset_type: '', status: 'active' }]);
  t.deepEqual(data.contracts, [
    {
      contract_id,
      contract_number: '',
      name: 'ProSupport',
      contract_type: '',
      company_number,
      status: 'active',
      start_date: '2026-01-01',
      end_date: null,
      company_name: customer,
    },
  ]);
  t.is((await send('GET', at(999_999))).status, 404);
});

test.serial('Update a vendor: partial updates, and contracts show the new name', async (t) => {
  const { vendor_id } = (await send('POST', path, { name: 'Old', phone: '1' })).body.data;
  const { company_number } = await seedCompany(app);
  const start = { company_number, name: 'Care', start_date: '2026-01-01', vendor_id };
  const { contract_id } = (await send('POST', '/contracts.php', start)).body.data;
  const { status, body } = await send('PUT', at(vendor_id), { name: 'New', phone: null });
  t.is(status, 200);
  t.like(body.data, { name: 'New', phone: '', email: '' });
  t.is((await send('GET', `/contracts.php?id=${contract_id}`)).body.data.vendor_name, 'New');
  t.is((await send('PUT', at(vendor_id), {})).body.error, 'No fields to update');
  t.is((await send('PUT', at(vendor_id), { name: 'ACME' })).status, 409);
  t.is((await send('PUT', at(999_999), { name: '' })).status, 404, 'absent before invalid');
});

test.serial('Delete a vendor: its contracts stay without it, and its name becomes available', async (t) => {
  const { vendor_id } = (await send('POST', path, { name: 'Gone' })).body.data;
  const { company_number } = await seedCompany(app);
  const start = { company_number, name: 'Care', start_date: '2026-01-01', vendor_id };
  const { contract_id } = (await send('POST', '/contracts.php', start)).body.data;
  t.is((await send('DELETE', at(vendor_id))).status, 204);
  t.is((await send('GET', at(vendor_id))).status, 404);
  t.like((await send('GET', `/contracts.php?id=${contract_id}`)).body.data, { vendor_id: null, vendor_name: null });
  t.is((await send('POST', path, { name: 'gone' })).status, 201);
});
