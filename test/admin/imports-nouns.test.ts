// Imports of companies, contracts, licenses and domains: other programs' files, errors by row, and undo.
import { IsNull } from '@keelson/core';
import { Company } from '@keelson/modules/directory';
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { Contract } from '../../modules/inventory/contracts/entities.ts';
import { Domain } from '../../modules/inventory/domains/entities.ts';
import { License } from '../../modules/inventory/licenses/entities.ts';
import { seedCompany, seedKey } from '../accounts-seed.ts';

let app: TestApp;
let token: string;
test.before(async () => {
  app = await openApp();
  const rights = ['companies', 'contracts', 'licenses', 'networks'].flatMap((each) => [
    `${each}:read`,
    `${each}:write`,
  ]);
  token = (await seedKey(app, 'admin', rights)).api_key;
});
test.after.always(() => app.close());

async function upload(path: string, lines: readonly string[], options: Record<string, unknown> = {}) {
  const form = new FormData();
  form.append('file', new Blob([lines.join('\r\n')]), 'file.csv');
  for (const [name, value] of Object.entries({ profile: 'auto', ...options })) form.append(name, String(value));
  const sent = new Response(form);
  const headers = { 'Content-Type': sent.headers.get('content-type') ?? '' };
  const body = Buffer.from(await sent.arrayBuffer());
  return app.request('POST', `/admin/api/v1${path}`, { token, headers, body });
}

const get = (path: string) => app.request('GET', `/admin/api/v1${path}`, { token });
const post = (path: string, body: unknown) => app.request('POST', `/admin/api/v1${path}`, { token, body });

async function undo(import_id: number) {
  await app.request('POST', `/admin/api/v1/imports.php?action=undo&id=${import_id}`, { token });
  await app.app.outbox.drain();
  return (await get(`/imports.php?id=${import_id}`)).body.data;
}

function later(): void {
  app.clock.set(new Date(Date.parse(app.clock.now()) + 1000).toISOString());
}

const fieldsOf = (seen: any) => Object.fromEntries(seen.columns.map((each: any) => [each.name, each.field]));

test.serial('Look at a file of companies', async (t) => {
  const { body } = await upload('/companies.php?action=import-preview', [
    'Client Name,Client Type,Location Address,Location City,Location Phone,Website',
    'Nord Dental,Dentist,Hafen 1,Kiel,+49 431 1,https://nord.example',
  ]);
  t.deepEqual(fieldsOf(body.data), {
    'Client Name': 'customer',
    'Client Type': 'industry',
    'Location Address': 'address',
    'Location City': 'city',
    'Location Phone': 'phone',
    Website: 'website',
  });
});

test.serial('Import companies: new and existing ones, errors by row; undo keeps a company in use', async (t) => {
  await seedCompany(app, 'Known Ltd');
  const lines = [
    'Client Name,Client Type,Location City,E-mail,Status',
    'Alpha Ltd,Dentist,Kiel,info@alpha.example,ACTIVE',
    'KNOWN LTD,Bakery,,,',
    'Beta Ltd,Bakery,Bonn,no address,',
    'Gamma Ltd,,,,',
    'alpha ltd,,,,',
  ];
  const path = '/companies.php?action=import';
  const tried = (await upload(path, lines, { dry_run: true })).body.data;
  t.like(tried, { total: 5, created: 2, updated: 0, failed: 3, dry_run: true, import_id: null });
  t.deepEqual(
    tried.errors.map((each: any) => [each.row, each.field]),
    [
      [2, 'customer'],
      [3, 'email'],
      [5, 'customer'],
    ],
  );
  const before = await app.app.database.countBy(Company, { deleted_at: IsNull() });
  later();
  const done = (await upload(path, lines, { update_existing: true })).body.data;
  t.like(done, { created: 2, updated: 2, failed: 1 });
  t.is(await app.app.database.countBy(Company, { deleted_at: IsNull() }), before + 2);
  const known = await app.app.database.findOneBy(Company, { customer: 'KNOWN LTD' });
  t.is(known?.industry, 'Bakery');
  const alpha = await app.app.database.findOneBy(Company, { customer: 'alpha ltd' });
  await app.run(async (ctx) => {
    await ctx.db.insert(Domain, {
      company_number: alpha?.company_number ?? 0,
      domain_name: 'alpha.example',
      status: 'active',
      created_at: ctx.now,
      updated_at: ctx.now,
    });
  });
  later();
  const entry = await undo(done.import_id);
  t.like(entry, { status: 'undone', removed: 1, restored: 1, kept: 1 });
  const { body } = await get(`/imports.php?action=kept&id=${done.import_id}`);
  t.like(body.data[0], { label: 'alpha ltd', reason: 'Company still has domains; set it inactive instead' });
  const restored = await app.app.database.findOneBy(Company, { company_number: known?.company_number ?? 0 });
  t.like(restored, { customer: 'Known Ltd', industry: '' });
});

test.serial('Import domains: dates, name servers and companies by name; undo', async (t) => {
  const { company_number } = await seedCompany(app, 'Domain Owners');
  const lines = [
    'Domain;Client;Registrar;Expire;Auto-Renew;Nameservers',
    'Example-One.com;Domain Owners;Gandi;31.12.2026;ja;ns1.example.net, ns2.example.net',
    'example-two.com;Nobody;;;;',
    'not a domain;Domain Owners;;;;',
  ];
  const done = (await upload('/domains.php?action=import', lines, { dates: 'dmy' })).body.data;
  t.like(done, { created: 1, failed: 2 });
  t.deepEqual(
    done.errors.map((each: any) => [each.row, each.field]),
    [
      [2, 'company_name'],
      [3, 'domain_name'],
    ],
  );
  const [domain] = await app.app.database.findBy(Domain, { company_number });
  t.like(domain, { domain_name: 'example-one.com', expires_at: '2026-12-31', auto_renew: true, registrar: 'Gandi' });
  t.deepEqual(domain?.name_servers, ['ns1.example.net', 'ns2.example.net']);
  t.like(await undo(done.import_id), { removed: 1, kept: 0 });
  t.is(await app.app.database.countBy(Domain, { company_number, deleted_at: IsNull() }), 0);
});

test.serial('Look at a file of domains', async (t) => {
  const { body } = await upload('/domains.php?action=import-preview', ['FQDN,Expiry', 'a.example,2027-01-01']);
  const empty = await upload('/domains.php?action=import-preview', ['FQDN,Expiry']);
  t.is(empty.body.error, 'The file has no rows');
  t.deepEqual(fieldsOf(body.data), { FQDN: 'domain_name', Expiry: 'expires_at' });
});

test.serial(
  'Import licenses: amounts as spreadsheets write them; a stored product key is never replaced',
  async (t) => {
    const { company_number } = await seedCompany(app);
    const { data: old } = (
      await post('/licenses.php', { company_number, name: 'Office', product_key: 'AAAA-1111', seats: 3 })
    ).body;
    later();
    const lines = [
      'Software,Seats,Purchase Cost,License Key',
      'Windows Server,2,"1.234,50 €",BBBB-2222',
      'OFFICE,5,$99,CCCC-3333',
      'Broken,some,12,',
    ];
    const options = { company_number, update_existing: true };
    const done = (await upload('/licenses.php?action=import', lines, options)).body.data;
    t.like(done, { created: 1, updated: 1, failed: 1 });
    const rows = await app.app.database.find(License, { where: { company_number }, order: { license_id: 'ASC' } });
    t.deepEqual(
      rows.map((each) => [each.name, each.seats, each.cost_minor, each.key_end]),
      [
        ['OFFICE', 5, 99_000, '1111'],
        ['Windows Server', 2, 1_234_500, '2222'],
      ],
    );
    later();
    t.like(await undo(done.import_id), { removed: 1, restored: 1, kept: 0 });
    const [back] = await app.app.database.findBy(License, { company_number, deleted_at: IsNull() });
    t.like(back, { license_id: old.license_id, name: 'Office', seats: 3, cost_minor: null, key_end: '1111' });
  },
);

test.serial('Look at a file of licenses', async (t) => {
  const { body } = await upload('/licenses.php?action=import-preview', ['Software,Qty', 'Office,3']);
  t.deepEqual(fieldsOf(body.data), { Software: 'name', Qty: 'seats' });
});

test.serial('Import contracts: vendors by name, terms and billing cycles; undo', async (t) => {
  const { company_number } = await seedCompany(app);
  await post('/vendors.php', { name: 'Deutsche Telekom' });
  const lines = [
    'Contract,Start,End,Value,Billing Period,Supplier,Included Hours',
    'Managed,2026-01-01,2026-12-31,"1,200.00",Monthly,deutsche telekom,2.5',
    'Odd,2026-05-01,2026-01-01,,,,',
    'Unknown,2026-01-01,,,,Nobody,',
  ];
  const done = (await upload('/contracts.php?action=import', lines, { company_number })).body.data;
  t.like(done, { created: 1, failed: 2 });
  t.deepEqual(
    done.errors.map((each: any) => [each.row, each.error]),
    [
      [2, 'end_date must not be before start_date'],
      [3, 'vendor_name must be the name of a vendor'],
    ],
  );
  const [contract] = await app.app.database.findBy(Contract, { company_number });
  t.like(contract, { name: 'Managed', value_minor: 1_200_000, billing_cycle: 'monthly', included_minutes: 150 });
  t.truthy(contract?.vendor_id);
  t.like(await undo(done.import_id), { removed: 1, kept: 0 });
});

test.serial('Look at a file of contracts', async (t) => {
  const { body } = await upload('/contracts.php?action=import-preview', ['Agreement,From,Until', 'A,2026-01-01,']);
  t.deepEqual(fieldsOf(body.data), { Agreement: 'name', From: 'start_date', Until: 'end_date' });
});

test.serial('callers without permission cannot import anything', async (t) => {
  const { api_key } = await seedKey(app, 'admin', [
    'companies:read',
    'contracts:read',
    'licenses:read',
    'networks:read',
  ]);
  for (const noun of ['companies', 'contracts', 'licenses', 'domains'])
    t.is(
      (await app.request('POST', `/admin/api/v1/${noun}.php?action=import`, { token: api_key, body: [] })).status,
      403,
    );
});
