import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Asset, AssetPort, AssetSoftware } from '@keelson/modules/assets';
import { DiscoveryResult } from '@keelson/modules/discovery';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { StoredEvent } from '../../packages/events/delivery/delivery.ts';
import { ActivityLine } from '../../packages/log/activity.ts';
import { seedAsset } from '../assets-seed.ts';
import { placeIn, seedCollector, seedPlace } from '../collector-seed.ts';
import { asKey } from '../tickets-seed.ts';

const path = '/connect/sync/discovery.php';
const results = '/discovery/results.php';

async function start(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t);
  const send = await asKey(app, ['networks:read', 'networks:write', 'assets:read', 'assets:write']);
  const place = await seedPlace(app);
  const collector = await seedCollector(app, place);
  const sync = async (...devices: object[]) => {
    const { status, body, text } = await collector.send('POST', path, { devices });
    if (status !== 200) throw new Error(text);
    return body.data;
  };
  return { app, send, place, collector, sync };
}

const assetsOf = (app: TestApp) => app.app.database.find(Asset, { order: { asset_id: 'ASC' } });
const eventsOf = async (app: TestApp) =>
  (await app.app.database.find(StoredEvent, { order: { event_id: 'ASC' } })).map(({ name }) => name);
const counted = (created: number, updated: number, unchanged: number) => ({ created, updated, unchanged });

test('Receive what a collector has found; List discovery results', async (t) => {
  const { app, send, place, collector } = await start(t);
  const { job_id } = (await send('POST', '/discovery/scan.php', { ...place, subnet: '192.0.2.0/24' })).body.data;
  await collector.poll();
  const device = {
    hostname: 'srv-1',
    ip_address: '192.0.2.5',
    mac_address: '00-50-56-AA-BB-CC',
    serial_number: 'VM 77',
    asset_type: 'server',
    manufacturer: 'VMware',
    operating_system: 'Linux',
    open_ports: [22, 443],
    software: [{ name: 'nginx', version: '1.28' }],
    ports: [{ port_number: 1, port_name: 'eth0', status: 'up' }],
    colour: 'beige',
  };
  const devices = [device, { asset_type: 'printer' }, { hostname: 'x', ip_address: '192.0.2' }, 'printer'];
  const answer = await collector.send('POST', path, { job_id, version: '1.2.0', devices });
  t.is(answer.status, 200);
  t.deepEqual(answer.body, {
    success: true,
    data: {
      sync_status: 'completed',
      received: 4,
      ...counted(1, 0, 0),
      merged: 0,
      merged_by: { serial_number: 0, mac_address: 0, hostname: 0 },
      waiting: 0,
      seen_again: 0,
      addresses: 0,
      errors: answer.body.data.errors,
    },
  });
  t.deepEqual(
    answer.body.data.errors.map((each: { index: number }) => each.index),
    [1, 2, 3],
  );
  t.is(answer.body.data.errors[0].error, 'One of serial_number, mac_address, hostname, ip_address is required');
  t.regex(answer.body.data.errors[1].error, /^ip_address must be/);

  const [asset] = await assetsOf(app);
  t.like(asset, {
    machine_name: 'srv-1',
    ...place,
    source: 'discovery',
    asset_type: 'Server',
    ip_address: '192.0.2.5',
    mac_address: '00:50:56:aa:bb:cc',
    serial_number: 'VM 77',
    last_seen_at: '2026-03-02T09:00:00.000Z',
  });
  t.like(await app.app.database.find(AssetSoftware), [{ name: 'nginx', version: '1.28', source: 'collector' }]);
  t.like(await app.app.database.find(AssetPort), [{ port_number: 1, port_name: 'eth0', status: 'up' }]);
  const listed = await send('GET', `${results}?job_id=${job_id}`);
  const { result_id } = listed.body.data[0];
  t.deepEqual(listed.body.data, [
    {
      result_id,
      job_id,
      ...place,
      ip_address: '192.0.2.5',
      mac_address: '00:50:56:aa:bb:cc',
      hostname: 'srv-1',
      serial_number: 'VM 77',
      vendor: 'VMware',
      operating_system: 'Linux',
      open_ports: [22, 443],
      asset_id: asset?.asset_id,
      state: 'new',
      matched_by: null,
      matched_value: '',
      reason: '',
      suggested_asset_id: null,
      discovered_at: '2026-03-02T09:00:00Z',
    },
  ]);
  t.is(listed.body.pagination.total, 1);
  t.is((await send('GET', `${results}?state=matched`)).body.pagination.total, 0);
  t.is((await send('GET', `${results}?state=old`)).status, 400);
  t.like((await send('GET', `/discovery/queue.php?id=${job_id}`)).body.data, { devices_found: 4 });
  const names = await eventsOf(app);
  for (const name of ['asset.created', 'asset.discovered', 'collector.sync']) t.true(names.includes(name), name);

  const refused = async (body: object, error: RegExp) => {
    const { status, body: said } = await collector.send('POST', path, body);
    t.is(status, 400);
    t.regex(said.error, error);
  };
  await refused({}, /devices/);
  await refused({ devices: [], job_id: 999 }, /^job_id must be a job of this collector$/);
  await refused({ devices: Array.from({ length: 5001 }, () => ({})) }, /at most 5000 rows/);
  t.like((await collector.send('POST', path, { devices: [] })).body.data, { received: 0, ...counted(0, 0, 0) });
});

test('devices are matched by serial number, MAC address, or host name at the same site', async (t) => {
  const { app, send, place, sync } = await start(t);
  const { company_number } = place;
  const mac_address = '00:50:56:00:00:01';
  const bySerial = await seedAsset(app, { ...place, machine_name: 'one', serial_number: 'Sn-1', mac_address });
  const byMac = await seedAsset(app, {
    ...place,
    machine_name: 'two',
    mac_address: '00:50:56:00:00:02',
    notes: 'Mine',
  });
  const byName = await seedAsset(app, { ...place, machine_name: 'three' });
  const elsewhere = await placeIn(app, company_number);
  await seedAsset(app, { ...elsewhere, machine_name: 'four' });
  await seedAsset(app, { ...(await seedPlace(app)), machine_name: 'five', serial_number: 'SN-5' });
  const answer = await sync(
    { serial_number: ' SN-1 ', mac_address: '00:50:56:00:00:02', hostname: 'three' },
    { mac_address: '00:50:56:00:00:02', hostname: 'three', serial_number: 'SN-2', model: 'T14' },
    { hostname: 'THREE', ip_address: '192.0.2.3' },
    { hostname: 'four' },
    { hostname: 'five', serial_number: 'SN-5' },
    // The MAC address of one asset and the serial number of another: a separate machine.
    { hostname: 'six', mac_address, serial_number: 'SN-6' },
  );
  t.like(answer, { ...counted(3, 3, 0), errors: [] });
  const rows = (await send('GET', `${results}?per_page=100&state=matched`)).body.data;
  const why = rows.map(({ asset_id, matched_by, matched_value }: DiscoveryResultRow) => [
    asset_id,
    matched_by,
    matched_value,
  ]);
  t.deepEqual(
    why.toSorted(([a]: number[], [b]: number[]) => (a ?? 0) - (b ?? 0)),
    [
      [bySerial.asset_id, 'serial_number', 'SN-1'],
      [byMac.asset_id, 'mac_address', '00:50:56:00:00:02'],
      [byName.asset_id, 'hostname', 'THREE'],
    ],
  );
  // Blank fields are filled; values entered by people stay (MO-12).
  t.like(await app.app.database.findOneBy(Asset, { asset_id: byMac.asset_id }), {
    machine_name: 'two',
    serial_number: 'SN-2',
    model: 'T14',
    notes: 'Mine',
  });
});

interface DiscoveryResultRow {
  readonly asset_id: number;
  readonly matched_by: string;
  readonly matched_value: string;
}

test('Split a device from its matched asset', async (t) => {
  const { app, send, place, sync } = await start(t);
  // The MAC address belongs to a docking station shared by two laptops, one of which initially reports no name.
  const mac_address = '00:50:56:00:00:09';
  const { asset_id } = await seedAsset(app, { ...place, machine_name: 'laptop-1', mac_address });
  t.like(await sync({ hostname: 'laptop-2', mac_address, ip_address: '192.0.2.9' }), counted(0, 1, 0));
  t.is((await assetsOf(app)).length, 1);
  const [wrong] = (await send('GET', `${results}?state=matched`)).body.data;
  t.like(wrong, { matched_by: 'mac_address', matched_value: mac_address });
  const split = await send('POST', `${results}?action=split&id=${wrong.result_id}`);
  t.is(split.status, 200);
  const [first, second] = await assetsOf(app);
  t.like(split.body.data, {
    asset_id: second?.asset_id,
    matched_by: 'split',
    matched_value: String(first?.asset_id),
  });
  t.like(second, { machine_name: 'laptop-2', source: 'discovery' });
  // The split persists, even when more identifiers are known.
  await sync({ hostname: 'laptop-2', mac_address, model: 'T14' }, { hostname: 'laptop-1', mac_address, model: 'X1' });
  t.deepEqual(
    (await assetsOf(app)).map(({ machine_name, model }) => [machine_name, model]),
    [
      ['laptop-1', 'X1'],
      ['laptop-2', 'T14'],
    ],
  );
  t.is(first?.asset_id, asset_id);
  const again = await send('POST', `${results}?action=split&id=${wrong.result_id}`);
  t.deepEqual([again.status, again.body.error], [400, 'The device already has its own asset']);
  t.is((await send('POST', `${results}?action=split&id=999`)).status, 404);
});

test('a split device gets its programs and ports with the next report, although nothing has changed', async (t) => {
  const { app, send, place, sync } = await start(t);
  const mac_address = '00:50:56:00:00:09';
  await seedAsset(app, { ...place, machine_name: 'laptop-1', mac_address });
  const software = [{ name: 'nginx', version: '1.28' }];
  const ports = [{ port_number: 1, port_name: 'eth0', status: 'up' }];
  const device = { hostname: 'laptop-2', mac_address, software, ports };
  await sync(device);
  const [wrong] = (await send('GET', results)).body.data;
  const { asset_id } = (await send('POST', `${results}?action=split&id=${wrong.result_id}`)).body.data;
  t.not(asset_id, wrong.asset_id);
  t.like(await sync(device), counted(0, 1, 0));
  t.is(await app.app.database.countBy(AssetSoftware, { asset_id }), 1);
  t.is(await app.app.database.countBy(AssetPort, { asset_id }), 1);
  t.like(await sync(device), counted(0, 0, 1));
});

test('resubmitting 5,000 known devices changes nothing, creates nothing and sends no events', async (t) => {
  const { app, sync } = await start(t);
  const devices = Array.from({ length: 5000 }, (_, i) => ({
    hostname: `host-${i}`,
    serial_number: `S-${i}`,
    mac_address: `02:00:00:00:${hex(i >> 8)}:${hex(i & 255)}`,
    ip_address: `10.0.${i >> 8}.${i & 255}`,
    open_ports: [22],
  }));
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const began = performance.now();
  t.like(await sync(...devices), { received: 5000, ...counted(5000, 0, 0), errors: [] });
  const first = performance.now() - began;
  const state = async () => ({
    assets: await assetsOf(app),
    results: await app.app.database.find(DiscoveryResult, { order: { result_id: 'ASC' } }),
    lines: (await app.app.database.find(ActivityLine)).length,
    events: (await eventsOf(app)).filter((name) => name.startsWith('asset.')),
  });
  const before = await state();
  app.clock.set('2026-03-02T09:30:00.000Z');
  delay.reset();
  const statements = await app.statements(async () => {
    t.like(await sync(...devices.toReversed()), { received: 5000, ...counted(0, 0, 5000) });
  });
  delay.disable();
  t.log(
    `first ${Math.round(first)} ms; again ${statements} statements, loop p99 ${Math.round(delay.percentile(99) / 1e6)} ms`,
  );
  t.true(statements < 200, `${statements} statements`);
  t.deepEqual(await state(), before);
});

const hex = (n: number) => n.toString(16).padStart(2, '0');
