import { Asset } from '@keelson/modules/assets';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { IsNull } from 'typeorm';
import { seedAsset } from '../assets-seed.ts';
import { placeIn, seedCollector, seedPlace } from '../collector-seed.ts';
import { asKey } from '../tickets-seed.ts';

const path = '/connect/sync/discovery.php';
const results = '/discovery/results.php';

async function start(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t);
  const send = await asKey(app, ['networks:read', 'networks:write', 'assets:read', 'assets:write', 'assets:delete']);
  const place = await seedPlace(app);
  const collector = await seedCollector(app, place);
  const sync = async (...devices: object[]) => {
    const { status, body, text } = await collector.send('POST', path, { devices });
    if (status !== 200) throw new Error(text);
    return body.data;
  };
  const listed = async (query = '') => (await send('GET', `${results}?per_page=100${query}`)).body.data;
  return { app, send, place, collector, sync, listed };
}

const assetsOf = (app: TestApp) =>
  app.app.database.find(Asset, { where: { deleted_at: IsNull() }, order: { asset_id: 'ASC' } });

test('placeholder serial numbers never match two devices', async (t) => {
  const { app, sync } = await start(t);
  const worthless = [
    'To be filled by O.E.M.',
    'default string',
    'System Serial Number',
    'None',
    '0',
    'n/a',
    '00000000',
  ];
  const devices = [...worthless, '03000200-0400-0500-0006-000700080009'].flatMap((serial_number, i) => [
    { hostname: `A-${i}`, serial_number, mac_address: `02:00:00:00:01:0${i}` },
    { hostname: `B-${i}`, serial_number, mac_address: `02:00:00:00:02:0${i}` },
  ]);
  t.like(await sync(...devices), { created: devices.length, updated: 0, unchanged: 0, merged: 0 });
  t.is((await assetsOf(app)).length, devices.length);
  t.like(await sync(...devices), { created: 0, unchanged: devices.length, merged: 0 });
});

test('repeated characters and other common placeholders do not identify a device', async (t) => {
  const { sync } = await start(t);
  const serials = [
    'XXXXXXXXXXXX',
    '1111111111',
    'FFFFFFFF',
    'aaaaaaaa',
    '1',
    '1234',
    'No serial',
    'Not Defined',
    'unknow',
    'Filled by OEM',
    'BSN12345678901234567',
    'Asset-1234567890',
    '0123456',
    '0x00000000',
    '7',
    'xx',
    'Unbekannt',
  ];
  const macs = ['00:50:56:c0:00:08', '0A-00-27-00-00-00', 'acde48001122', '11:11:11:11:11:11', '01:00:5e:00:00:fb'];
  const devices = [
    ...serials.flatMap((serial_number, i) => [
      { hostname: `S-${i}-a`, serial_number, mac_address: `02:00:00:00:01:${10 + i}` },
      { hostname: `S-${i}-b`, serial_number, mac_address: `02:00:00:00:02:${10 + i}` },
    ]),
    ...macs.flatMap((mac_address, i) => [
      { serial_number: `SER-${i}-a`, mac_address },
      { hostname: `M-${i}`, mac_address },
    ]),
  ];
  t.like(await sync(...devices), { created: devices.length, unchanged: 0, merged: 0 });
  // Short numbers behind letters are ones that people give.
  const same = { serial_number: 'PC-1234' };
  t.like(await sync({ hostname: 'x-1', ...same }, { hostname: 'x-2', ...same }), { created: 1, merged: 1 });
});

test('a host name that identifies no host does not match two hosts', async (t) => {
  const { app, sync, listed } = await start(t);
  const names = ['localhost', 'localhost.localdomain', 'android', '192.0.2.77', 'Unknown'];
  const devices = names.flatMap((hostname, i) => [
    { hostname, mac_address: `02:00:00:00:01:0${i}`, ip_address: `192.0.2.${i}` },
    { hostname, mac_address: `02:00:00:00:02:0${i}`, ip_address: `192.0.2.1${i}` },
  ]);
  t.like(await sync(...devices), { created: devices.length, merged: 0, waiting: 0 });
  t.is((await assetsOf(app)).length, devices.length);
  const addresses = [{ hostname: 'localhost', ip_address: '192.0.2.40' }, { hostname: '192.0.2.41' }];
  t.like(await sync(...addresses), { created: 0, addresses: 2 });
  t.deepEqual((await listed('&state=address')).map((each: any) => each.ip_address).toSorted(), [
    '192.0.2.40',
    '192.0.2.41',
  ]);
});

test('a device that appears twice in one report keeps the data of both entries and counts as merged', async (t) => {
  const { app, sync } = await start(t);
  const twice = [
    { hostname: 'two-homes', ip_address: '192.0.2.1', model: 'R740' },
    { hostname: 'two-homes', ip_address: '192.0.2.2', manufacturer: 'Maker' },
  ];
  t.like(await sync(...twice), { created: 1, unchanged: 1, merged: 1, merged_by: { hostname: 1 } });
  const [asset] = await assetsOf(app);
  t.like(asset, { model: 'R740', manufacturer: 'Maker', ip_address: '192.0.2.2' });
  t.like(await sync(...twice), { created: 0, updated: 0, unchanged: 2 });
});

test('null and shared MAC addresses never match two devices', async (t) => {
  const { app, sync } = await start(t);
  const nobody = ['00:00:00:00:00:00', 'FF-FF-FF-FF-FF-FF'];
  const devices = nobody.flatMap((mac_address, i) => [
    { hostname: `A-${i}`, mac_address },
    { hostname: `B-${i}`, mac_address },
  ]);
  t.like(await sync(...devices), { created: 4, merged: 0 });
  const dock = '00:50:56:00:00:09';
  t.like(await sync({ hostname: 'laptop-1', mac_address: dock }), { created: 1, merged: 0 });
  t.like(await sync({ hostname: 'laptop-2', mac_address: dock, ip_address: '192.0.2.9' }), { created: 1, merged: 0 });
  t.is((await assetsOf(app)).length, 6);
});

test('a short and a fully qualified name match the same host; the response names the matching rule', async (t) => {
  const { app, sync } = await start(t);
  t.like(await sync({ hostname: 'srv-1.corp.example', ip_address: '192.0.2.1' }), { created: 1, merged: 0 });
  t.like(await sync({ hostname: 'SRV-1', ip_address: '192.0.2.1', model: 'R740' }), {
    ...{ created: 0, updated: 1, merged: 1 },
    merged_by: { serial_number: 0, mac_address: 0, hostname: 1 },
  });
  t.like(await sync({ hostname: 'srv-1.other.example' }), { created: 1, merged: 0 });
  // Also within one report; data of the second device is kept.
  const mac_address = '02:00:00:00:00:07';
  const twice = await sync(
    { hostname: 'pc-7', mac_address },
    { hostname: 'pc-7.corp.example', mac_address, model: 'X1' },
  );
  t.like(twice, { created: 1, merged: 1, merged_by: { mac_address: 1, hostname: 0 } });
  t.is((await assetsOf(app)).at(-1)?.model, 'X1');
});

test('Add a held device as an asset; Match a held device to an asset; Read a discovery result', async (t) => {
  const { app, send, place, sync, listed } = await start(t);
  const board = { hostname: 'raspberrypi', mac_address: 'b8:27:eb:00:00:01' };
  t.like(await sync(board), { created: 1, waiting: 0 });
  const others = [
    { ...board, mac_address: 'b8:27:eb:00:00:02', model: 'Pi 4' },
    { ...board, mac_address: 'b8:27:eb:00:00:03' },
  ];
  t.like(await sync(...others), { created: 0, updated: 0, unchanged: 0, waiting: 2, merged: 0 });
  t.like(await sync(...others), { waiting: 2, unchanged: 0 });
  const waiting = await listed('&state=waiting');
  const [first] = await assetsOf(app);
  t.deepEqual(
    waiting.map((each: any) => [each.asset_id, each.suggested_asset_id, each.reason]),
    [1, 2].map(() => [null, first?.asset_id, 'An asset has the same host name but a different MAC address']),
  );
  const one = waiting.find((each: any) => each.mac_address.endsWith('02'));
  const other = waiting.find((each: any) => each.mac_address.endsWith('03'));
  t.deepEqual((await send('GET', `${results}?id=${one.result_id}`)).body.data, one);
  const added = await send('POST', `${results}?action=add&id=${one.result_id}`);
  t.is(added.status, 200);
  t.like(added.body.data, { state: 'new', reason: '', suggested_asset_id: null });
  const stranger = await seedAsset(app, { ...(await seedPlace(app)), machine_name: 'raspberrypi' });
  const merge = `${results}?action=merge&id=${other.result_id}`;
  const refused = await send('POST', merge, { asset_id: stranger.asset_id });
  t.deepEqual([refused.status, refused.body.error], [400, 'asset_id must be an asset of the company']);
  const merged = await send('POST', merge, {});
  t.like(merged.body.data, { state: 'matched', matched_by: 'person', asset_id: first?.asset_id });
  t.is((await send('POST', merge, {})).status, 400);
  t.is((await send('POST', `${results}?action=add&id=${one.result_id}`)).status, 400);
  t.is((await send('POST', `${results}?action=add&id=999`)).status, 404);
  t.is((await send('GET', `${results}?id=999`)).status, 404);
  // Both decisions persist, and the next report supplies the data that was not stored.
  t.like(await sync(...others), { created: 0, waiting: 0, updated: 2 });
  t.is((await assetsOf(app)).filter(({ site_number }) => site_number === place.site_number).length, 2);
});

test('Restore the deleted asset of a device', async (t) => {
  const { app, send, place, sync, listed } = await start(t);
  const device = { hostname: 'OLD', serial_number: 'S1', mac_address: '02:00:00:00:00:01' };
  await sync(device);
  const [asset] = await assetsOf(app);
  const asset_id = asset?.asset_id ?? 0;
  const restore = async (id: number) => send('POST', `${results}?action=restore&id=${id}`);
  const [before] = await listed();
  t.is((await restore(before.result_id)).status, 400);
  t.is((await send('DELETE', `/assets.php?id=${asset_id}`)).status, 204);
  const away = { created: 0, updated: 0, unchanged: 0, seen_again: 1 };
  t.like(await sync(device), away);
  t.like(await sync({ ...device, ip_address: '10.1.1.1' }), away);
  // Fewer identifiers, more identifiers or another address: still the same machine.
  t.like(await sync({ hostname: 'old', mac_address: '02:00:00:00:00:01' }), away);
  t.like(await sync({ ...device, mac_address: '02:00:00:00:00:02' }), away);
  t.like(await sync({ hostname: 'OLD' }), away);
  t.deepEqual(await assetsOf(app), []);
  const again = await listed('&state=seen_again');
  t.true(again.length > 0);
  t.true(again.every((each: any) => each.asset_id === asset_id));
  const row = again.find((each: any) => each.ip_address === '10.1.1.1');
  t.like((await restore(row.result_id)).body.data, { state: 'matched', asset_id });
  t.like(await assetsOf(app), [{ asset_id, machine_name: 'OLD', serial_number: 'S1', ip_address: '10.1.1.1' }]);
  t.is((await send('GET', `/assets.php?id=${asset_id}`)).status, 200);
  t.is((await send('GET', '/assets.php')).body.pagination.total, 1);
  t.like(await sync({ ...device, ip_address: '10.1.1.1' }, { hostname: 'OLD' }), { created: 0, seen_again: 0 });
  t.deepEqual(await listed('&state=seen_again'), []);
  // A different machine with the name of a deleted one.
  await send('DELETE', `/assets.php?id=${asset_id}`);
  t.like(await sync({ hostname: 'OLD', serial_number: 'S2' }), { created: 1, seen_again: 0 });
  // Another company's device does not match.
  const other = await seedCollector(app, await seedPlace(app));
  t.like((await other.send('POST', path, { devices: [device] })).body.data, { created: 1 });
  t.is((await restore(999)).status, 404);
  const elsewhere = await seedCollector(app, await placeIn(app, place.company_number));
  t.like((await elsewhere.send('POST', path, { devices: [device] })).body.data, away);
});

test('a known host name with another MAC address creates no asset, whether its asset exists or was deleted', async (t) => {
  const { app, send, place, sync, listed } = await start(t);
  const count = async () => (await assetsOf(app)).length;
  const changed = { hostname: 'DESK', mac_address: '02:00:00:00:00:02' };
  await sync({ hostname: 'desk.corp.example', mac_address: '02:00:00:00:00:01' });
  const asset_id = (await assetsOf(app))[0]?.asset_id ?? 0;
  // A person renamed it and moved it to another site.
  const elsewhere = await placeIn(app, place.company_number);
  const set = { machine_name: 'Reception', site_number: elsewhere.site_number };
  t.is((await send('PUT', `/assets.php?id=${asset_id}`, set)).status, 200);
  t.like(await sync(changed), { created: 0, waiting: 1 });
  t.like(await listed('&state=waiting'), [{ suggested_asset_id: asset_id }]);
  t.is((await send('DELETE', `/assets.php?id=${asset_id}`)).status, 204);
  const away = { created: 0, updated: 0, waiting: 0, seen_again: 1 };
  t.like(await sync(changed), away);
  t.like(await sync({ hostname: 'desk', mac_address: '02:00:00:00:00:03' }), away);
  t.is(await count(), 0);
  // It turns out to be a different machine.
  const [first] = await listed('&state=seen_again');
  t.like((await send('POST', `${results}?action=add&id=${first.result_id}`)).body.data, { state: 'new' });
  t.is(await count(), 1);
  // One of a company's assets may have no site yet.
  const typed = await seedAsset(app, { company_number: place.company_number, machine_name: 'typed' });
  t.like(await sync({ hostname: 'TYPED', mac_address: '02:00:00:00:00:05' }), { created: 0, merged: 1 });
  t.like(await sync({ hostname: 'typed', mac_address: '02:00:00:00:00:06' }), { created: 0, waiting: 1 });
  t.is((await listed('&state=waiting'))[0].suggested_asset_id, typed.asset_id);
});

test('a host known only by its address is matched within its network', async (t) => {
  const { app, send, place, sync, listed } = await start(t);
  const network = await send('POST', '/networks.php', {
    ...place,
    network_address: '192.168.1.0',
    subnet_mask: '255.255.255.0',
    description: 'Behind the router',
  });
  t.is(network.status, 201, network.text);
  const id = network.body.data.network_id;
  t.like(await sync({ ip_address: '192.168.1.2' }, {}), { created: 0, addresses: 1, errors: [{ index: 1 }] });
  t.like(await sync({ ip_address: '192.168.1.2', open_ports: [22] }), { created: 0, addresses: 1 });
  t.like(await listed(), [{ state: 'address', ip_address: '192.168.1.2', asset_id: null, open_ports: [22] }]);
  const detail = (await send('GET', `/networks.php?id=${id}`)).body.data;
  t.like(detail.ip_assignments, [{ ip_address: '192.168.1.2', asset_id: null, machine_name: null }]);
  const free = (await send('GET', `/networks.php?action=free-addresses&id=${id}&limit=3`)).body.data;
  t.like(free, { used: 1, free: 253, addresses: ['192.168.1.1', '192.168.1.3', '192.168.1.4'] });
  // The same range at another site has a host of its own there.
  const elsewhere = await placeIn(app, place.company_number);
  const range = { ...elsewhere, network_address: '192.168.1.0/24', description: 'Elsewhere' };
  const other = (await send('POST', '/networks.php', range)).body.data;
  t.deepEqual((await send('GET', `/networks.php?id=${other.network_id}`)).body.data.ip_assignments, []);
  // Once a machine is known at an address, the address belongs to it.
  await sync({ ip_address: '192.168.1.2', hostname: 'printer' });
  const after = (await send('GET', `/networks.php?id=${id}`)).body.data.ip_assignments;
  t.like(after, [{ ip_address: '192.168.1.2', machine_name: 'printer' }]);
  t.is(after.length, 1);
});

test('Update the limit of new devices; Read the limit of new devices', async (t) => {
  const { app, send, sync, listed, collector } = await start(t);
  const settings = '/discovery/settings.php';
  t.deepEqual((await send('GET', settings)).body.data, { new_devices_per_day: 5000 });
  const administrator = await asKey(app, ['settings:write']);
  t.is((await send('PUT', settings, { new_devices_per_day: 3 })).status, 403);
  const changed = await administrator('PUT', settings, { new_devices_per_day: 3 });
  t.deepEqual(changed.body.data, { new_devices_per_day: 3 });
  const named = (...numbers: number[]) => numbers.map((n) => ({ hostname: `pc-${n}` }));
  t.like(await sync(...named(1, 2)), { created: 2, waiting: 0 });
  t.like(await sync(...named(3, 4, 5)), { created: 1, waiting: 2, errors: [] });
  const last = await sync(...named(6, 7, 8));
  t.like(last, { created: 0, waiting: 1, errors: [{ index: 1 }, { index: 2 }] });
  t.is(last.errors[0].error, 'The collector has reached its daily limit of new devices');
  // Known devices are still accepted.
  t.like(await sync(...named(1, 2, 3)), { created: 0, unchanged: 3 });
  t.is((await assetsOf(app)).length, 3);
  const waiting = await listed('&state=waiting');
  t.is(waiting.length, 3);
  t.is((await send('POST', `${results}?action=add&id=${waiting[0].result_id}`)).status, 200);
  app.clock.set('2026-03-03T09:00:00.000Z');
  t.like((await collector.send('POST', path, { devices: named(9) })).body.data, { created: 1, waiting: 0 });
});

test('Update ignored identifiers; List ignored identifiers', async (t) => {
  const { app, send, place, sync } = await start(t);
  const lists = '/assets/identifiers.php';
  const shipped = (await send('GET', lists)).body.data;
  t.true(shipped.serial_numbers.includes('To be filled by O.E.M.'));
  const serial_numbers = [...shipped.serial_numbers, 'ACME-DEFAULT'];
  const reader = await asKey(app, ['assets:read']);
  t.is((await reader('PUT', lists, { serial_numbers })).status, 403);
  t.like((await send('PUT', lists, { serial_numbers })).body.data, { ...shipped, serial_numbers });
  t.like(
    await sync({ hostname: 'a', serial_number: 'acme default' }, { hostname: 'b', serial_number: 'ACME-DEFAULT' }),
    {
      created: 2,
      merged: 0,
    },
  );
  // People and files may use the value too.
  const asset = (machine_name: string) => ({ ...place, machine_name, serial_number: 'N/A' });
  t.is((await send('POST', '/assets.php', asset('c'))).status, 201);
  t.is((await send('POST', '/assets.php', asset('d'))).status, 201);
  const imported = await send('POST', '/assets.php?action=import&update_existing=true', {
    assets: [asset('PC-X'), asset('PC-Y'), { ...asset('PC-Z'), serial_number: '' }],
  });
  t.like(imported.body.data ?? imported.body, { created: 3, updated: 0 });
  const known = (await assetsOf(app)).at(-1);
  t.is((await send('PUT', `/assets.php?id=${known?.asset_id}`, { serial_number: 'REAL-1' })).status, 200);
  t.is((await send('POST', '/assets.php', { ...asset('e'), serial_number: 'real-1' })).status, 409);
});
