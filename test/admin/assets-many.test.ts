// Imports, bulk changes, connections, and the history of an asset.
import { In, IsNull, sql } from '@keelson/core';
import { Asset, type NewAsset } from '@keelson/modules/assets';
import { createTicket, TicketAsset } from '@keelson/modules/tickets';
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { AssetAddress, AssetPort } from '../../modules/assets/entities/parts.ts';
import { seedCompany, seedEmployee } from '../accounts-seed.ts';
import { assetEvents, assetRights, seedAsset } from '../assets-seed.ts';
import { asEmployee, asKey, forgetEvents, seedSite } from '../tickets-seed.ts';

let app: TestApp;
let send: Awaited<ReturnType<typeof asKey>>;
test.before(async () => {
  app = await openApp();
  send = await asKey(app, [
    ...assetRights,
    'companies:read',
    'contacts:read',
    'contacts:write',
    'contacts:access',
    'tickets:read',
  ]);
});
test.after.always(() => app.close());

const company = async () => (await seedCompany(app)).company_number;
const path = '/assets.php?action=import';

test.serial('Import assets of any company', async (t) => {
  const [here, there] = [await company(), await company()];
  const { site_number } = await seedSite(app, here);
  await seedAsset(app, { company_number: here, machine_name: 'old', serial_number: 'S-1', location: 'Attic' });
  await forgetEvents(app);
  const assets = [
    { machine_name: 'one', asset_type: 'LAPTOP', ip_address: '10.0.0.1', site_number },
    { machine_name: 'two', serial_number: 'S-2', company_number: there },
    { machine_name: 'three', serial_number: 's-1' },
    { machine_name: 'four', company_number: 999_999 },
    { machine_name: 'five', site_number, company_number: there },
    { machine_name: 'six', ip_address: 'here' },
    { machine_name: 'seven', assigned_employee: 999_999 },
    { machine_name: 'eight', serial_number: 'S-2', company_number: there },
  ];
  const body = { assets, company_number: here };
  const judged = await send('POST', path, { ...body, dry_run: true });
  const expected = {
    total: 8,
    created: 2,
    updated: 0,
    failed: 6,
    errors: [
      { row: 3, field: 'serial_number', error: 'serial_number s-1 already exists' },
      { row: 4, field: 'company_number', error: 'company_number must be an existing company' },
      { row: 5, field: 'site_number', error: 'site_number must be a site of the company' },
      { row: 6, field: 'ip_address', error: 'ip_address must be an IPv4 or IPv6 address' },
      { row: 7, field: 'assigned_employee', error: 'assigned_employee must be a contact of the company' },
      { row: 8, field: 'serial_number', error: 'serial_number S-2 already exists' },
    ],
    errors_total: 6,
    ignored_columns: [],
  };
  t.is(judged.status, 200, judged.text);
  t.deepEqual(judged.body.data, { ...expected, dry_run: true, import_id: null });
  t.is(await app.app.database.countBy(Asset, { company_number: there }), 0, 'nothing is stored');
  const stored = await send('POST', path, body);
  const { import_id } = stored.body.data;
  t.deepEqual(stored.body.data, { ...expected, dry_run: false, import_id });
  const rows = await app.app.database.findBy(Asset, { company_number: here, machine_name: 'one' });
  t.like(rows[0], { asset_type: 'Laptop', status: 'active', source: 'import', site_number });
  t.is((rows[0]?.asset_number ?? 0) - (rows[0]?.asset_id ?? 0), 1000);
  t.is(await app.app.database.countBy(AssetAddress, { asset_id: rows[0]?.asset_id ?? 0, is_primary: true }), 1);
  // Events of one transaction may share a millisecond, which leaves their order undefined.
  const events = (await assetEvents(app)).map((each) => [each.name, each.data.machine_name]);
  t.deepEqual(
    events.toSorted((a, b) => a[1].localeCompare(b[1])),
    [
      ['asset.created', 'one'],
      ['asset.created', 'two'],
    ],
  );
  const updated = await send('POST', path, { ...body, assets: [assets[2]], update_existing: true });
  t.like(updated.body.data, { created: 0, updated: 1, failed: 0 });
  const [after] = await app.app.database.findBy(Asset, { company_number: here, serial_key: 's-1' });
  t.like(after, { machine_name: 'three', location: 'Attic' });
  t.is((await assetEvents(app)).at(-1)?.name, 'asset.updated');
  const company_ = (await send('GET', `/companies.php?id=${here}`)).body.data;
  t.is(company_.statistics.asset_count, 2);
  t.is((await send('POST', path, { assets: [], company_number: here })).status, 400);
  t.is(
    (await send('POST', path, { assets: [{ machine_name: 'x' }] })).body.data.errors[0].error,
    'company_number is required',
  );
});

test.serial('Import assets: from a file, into the caller’s company', async (t) => {
  const company_number = await company();
  const edit = await asEmployee(app, await seedEmployee(app, { company_number, asset_edit: 'Modify' }));
  const read = await asEmployee(app, await seedEmployee(app, { company_number, asset_edit: 'Read Only' }));
  const csv = 'Machine Name;Serial Number;Owner\nPC-1;A1;Erin\nPC-2;a1;Bob\n';
  const { status, body } = await edit('POST', '/assets/import', { csv });
  t.is(status, 200);
  t.deepEqual(body, {
    success: true,
    total: 2,
    created: 1,
    updated: 0,
    failed: 1,
    errors: [{ row: 2, field: 'serial_number', error: 'serial_number a1 already exists' }],
    errors_total: 1,
    ignored_columns: ['Owner'],
    dry_run: false,
    import_id: body.import_id,
  });
  const both = await edit('POST', '/assets/import?update_existing=true', { csv });
  t.like(both.body, { created: 0, updated: 2 });
  const [asset] = await app.app.database.findBy(Asset, { company_number });
  t.is(asset?.machine_name, 'PC-2');
  t.is((await read('POST', '/assets/import', { csv })).status, 403);
  t.is((await edit('POST', '/assets/import', { csv: 'Name\nx\n' })).status, 400);
});

test.serial('Bulk-update assets', async (t) => {
  const [here, there] = [await company(), await company()];
  const { site_number } = await seedSite(app, here);
  const { employee_number } = await seedEmployee(app, { company_number: here });
  const one = (await seedAsset(app, { company_number: here })).asset_id;
  const two = (await seedAsset(app, { company_number: there })).asset_id;
  const bulk = (fields: object) => send('POST', '/bulk/assets.php', { asset_ids: [one, two, 999_999], ...fields });
  const { status, body } = await bulk({ action: 'move', site_number });
  t.is(status, 200);
  t.deepEqual(body.data, {
    action: 'move',
    requested: 3,
    succeeded: 1,
    failed: 2,
    results: [
      { asset_id: one, success: true },
      { asset_id: two, success: false, error: 'site_number must be a site of the company' },
      { asset_id: 999_999, success: false, error: 'Asset not found' },
    ],
  });
  t.is((await bulk({ action: 'move', site_number: null })).body.data.succeeded, 2);
  t.is((await bulk({ action: 'assign', assigned_employee: employee_number })).body.data.succeeded, 1);
  t.is((await bulk({ action: 'update_status', status: 'Retired' })).body.data.succeeded, 2);
  await forgetEvents(app);
  t.is((await bulk({ action: 'update', fields: { location: 'Cellar', asset_type: 'server' } })).body.data.succeeded, 2);
  t.deepEqual(
    (await assetEvents(app)).map((each) => [each.name, each.data.location, each.data.asset_type, each.data.status]),
    [
      ['asset.updated', 'Cellar', 'Server', 'retired'],
      ['asset.updated', 'Cellar', 'Server', 'retired'],
    ],
  );
  t.is((await bulk({ action: 'update' })).body.error, 'fields is required');
  t.is((await bulk({ action: 'update', fields: {} })).body.error, 'No fields to update');
  t.is((await bulk({ action: 'update_status' })).body.error, 'status is required');
  t.is((await bulk({ action: 'burn' })).status, 400);
  t.is((await bulk({ action: 'delete', asset_ids: [] })).status, 400);
  const writer = await asKey(app, ['assets:write']);
  t.is((await writer('POST', '/bulk/assets.php', { action: 'delete', asset_ids: [one] })).status, 403);
  t.is((await bulk({ action: 'delete' })).body.data.succeeded, 2);
  t.is(await app.app.database.countBy(Asset, { asset_id: In([one, two]), deleted_at: IsNull() }), 0);
});

/** Creates switches connected by cables: each pair is two ports. */
async function wired(pairs: readonly (readonly [number, number])[], n: number): Promise<number[]> {
  const company_number = await company();
  const now = app.app.clock.now();
  const rows: NewAsset[] = Array.from({ length: n }, (_, i) => ({
    company_number,
    machine_name: `sw-${i}`,
    asset_type: 'Switch',
  }));
  const ids: number[] = [];
  await app.run(async (ctx) => {
    const first = 1_000_000 + Math.max(0, ...(await ctx.db.find(Asset)).map((each) => each.asset_id));
    await ctx.db.insert(
      Asset,
      rows.map((row, i) => ({
        ...row,
        asset_id: first + i,
        asset_number: first + i,
        created_at: now,
        updated_at: now,
      })),
    );
    ids.push(...rows.map((_, i) => first + i));
    const [{ last } = { last: 0 }] = await ctx.db.query<{ last: number | null }>(
      sql`SELECT MAX(port_id) AS last FROM asset_port`,
    );
    let port_id = Number(last ?? 0);
    await ctx.db.insert(
      AssetPort,
      pairs.flatMap(([from, to]) => {
        const [a, b] = [++port_id, ++port_id];
        const end = (own: number, other: number, own_port: number, other_port: number) => ({
          port_id: own_port,
          asset_id: ids[own] ?? 0,
          connected_asset_id: ids[other] ?? 0,
          connected_port_id: other_port,
          created_at: now,
          updated_at: now,
        });
        return [end(from, to, a, b), end(to, from, b, a)];
      }),
    );
  });
  return ids;
}

test.serial('Read the topology of an asset', async (t) => {
  // A cycle of three, a tail, and one without connections.
  const ids = await wired(
    [
      [0, 1],
      [1, 2],
      [2, 0],
      [2, 3],
    ],
    5,
  );
  const read = (i: number, more = '') => send('GET', `/assets.php?action=topology&id=${ids[i]}${more}`);
  const { status, body } = await read(0);
  t.is(status, 200);
  const { nodes, links, ...rest } = body.data;
  t.deepEqual(rest, { asset_id: ids[0], truncated: false });
  t.deepEqual(
    nodes.map((each: any) => [ids.indexOf(each.asset_id), each.depth]),
    [
      [0, 0],
      [1, 1],
      [2, 1],
      [3, 2],
    ],
  );
  t.deepEqual(nodes[0], { asset_id: ids[0], machine_name: 'sw-0', asset_type: 'Switch', status: 'active', depth: 0 });
  t.deepEqual(
    links.map((each: any) => [ids.indexOf(each.from_asset_id), ids.indexOf(each.to_asset_id)]),
    [
      [0, 1],
      [1, 2],
      [2, 0],
      [2, 3],
    ],
  );
  t.deepEqual(Object.keys(links[0]), ['from_asset_id', 'from_port_id', 'to_asset_id', 'to_port_id', 'vlan_id']);
  const near = (await read(3, '&depth=1')).body.data;
  t.deepEqual([near.nodes.length, near.links.length, near.truncated], [2, 1, true]);
  t.deepEqual((await read(4)).body.data.links, []);
  t.is((await read(4)).body.data.nodes.length, 1);
  t.is((await read(0, '&depth=0')).status, 400);
  t.is((await send('GET', '/assets.php?action=topology&id=987654321')).status, 404);
});

test.serial('Read the topology of an asset: at most ten thousand cables', async (t) => {
  const n = 6000;
  const ring = Array.from({ length: n }, (_, i) => [i, (i + 1) % n] as const);
  const chords = Array.from({ length: 4001 }, (_, i) => [i, (i * 7 + 3) % n] as const);
  const ids = await wired([...ring, ...chords], n);
  const { body } = await send('GET', `/assets.php?action=topology&id=${ids[0]}`);
  t.is(body.data.truncated, true);
  const near = (await send('GET', `/assets.php?action=topology&id=${ids[0]}&depth=1`)).body.data;
  t.true(near.nodes.length >= 3 && near.nodes.length < 12, String(near.nodes.length));
});

test.serial('List the changes of an asset: including the people it was assigned to and its locations', async (t) => {
  const company_number = await company();
  const { site_number } = await seedSite(app, company_number, 'Harbour');
  const person = await seedEmployee(app, { company_number });
  const { asset_id } = await seedAsset(app, { company_number, machine_name: 'PC' });
  const put = (fields: object) => send('PUT', `/assets.php?id=${asset_id}`, fields);
  await put({ assigned_employee: person.employee_number, site_number, notes: 'no change that is kept' });
  await put({ machine_name: 'PC-2' });
  const of = async (more = '') => (await send('GET', `/assets.php?action=history&id=${asset_id}${more}`)).body;
  const { data, pagination } = await of();
  t.is(pagination.total, 3);
  t.deepEqual(
    data.map((each: any) => [each.field, each.before, each.after]),
    [
      ['machine_name', 'PC', 'PC-2'],
      ['assigned_employee', '', 'Erin Example'],
      ['site_number', '', 'Harbour'],
    ],
  );
  t.deepEqual(Object.keys(data[0]), ['change_id', 'field', 'before', 'after', 'changed_by', 'changed_at']);
  t.is((await of('&field=machine_name')).pagination.total, 1);
  t.is((await send('GET', '/assets.php?action=history&id=987654321')).status, 404);
  const contact = (await send('GET', `/contacts.php?id=${person.employee_number}`)).body.data;
  t.deepEqual(contact.assets, [{ asset_id, machine_name: 'PC-2', asset_type: '', status: 'active' }]);
  // A deleted contact has no assets left (D-06).
  t.is((await send('DELETE', `/contacts.php?id=${person.employee_number}`)).status, 204);
  await app.app.outbox.drain();
  t.deepEqual((await of('&field=assigned_employee')).data[0].after, '');
});

test.serial('List the changes of an asset of yours', async (t) => {
  const company_number = await company();
  const read = await asEmployee(app, await seedEmployee(app, { company_number, asset_edit: 'Read Only' }));
  const { asset_id } = await seedAsset(app, { company_number });
  await send('PUT', `/assets.php?id=${asset_id}`, { location: 'Attic' });
  const { body } = await read('GET', `/assets/${asset_id}/history`);
  t.like(body.history[0], { field: 'location', before: '', after: 'Attic' });
  t.is(body.pagination.total, 1);
  const foreign = await seedAsset(app, { company_number: await company() });
  t.is((await read('GET', `/assets/${foreign.asset_id}/history`)).status, 404);
});

test.serial('List the tickets about an asset', async (t) => {
  const company_number = await company();
  const { asset_id } = await seedAsset(app, { company_number });
  const { ticket_id } = await app.run((ctx) => createTicket(ctx, { company_number, subject: 'Broken' }));
  await app.app.database.insert(TicketAsset, { ticket_id, asset_id, created_at: app.clock.now() });
  const of = (more = '') => send('GET', `/assets.php?action=tickets&id=${asset_id}${more}`);
  t.deepEqual(
    (await of()).body.data.map((each: any) => each.ticket_id),
    [ticket_id],
  );
  t.is((await of('&status=closed')).body.pagination.total, 0);
  const blind = await asKey(app, ['assets:read']);
  t.is((await blind('GET', `/assets.php?action=tickets&id=${asset_id}`)).status, 403);
});
