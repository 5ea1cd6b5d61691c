import { createConnection, type RowDataPacket } from 'mysql2/promise';
import type { Bench } from '../bench.ts';
import type { AssetDatabase } from '../filled-assets.ts';
import { indexed } from '../indexed.ts';
import type { Running } from '../node-process.ts';
import { besides, eventLoopP99, percentile } from '../others.ts';
import { round } from '../report.ts';
import { median } from '../rounds.ts';

const DEVICES = 5000;
const AT_ONCE = 500;

/**
 * Syncs 5,000 collector devices, new and then unchanged, against an upsert of as many rows, each with concurrent
 * requests.
 */
export async function syncDevices({ options, report }: Bench, database: AssetDatabase, { port }: Running) {
  const rows: { over: number; lag: number; p99: number; rate: number; floor: number; again: number }[] = [];
  const list = {
    method: 'GET' as const,
    path: '/admin/api/v1/assets.php?per_page=25',
    headers: { Authorization: `Bearer ${database.key}` },
  };
  await besides(port, list, () => sync(port, database, devices(`W${Date.now().toString(36)}`, 500)));
  for (let i = 0; i < options.rounds; i++) {
    const series = `${Date.now().toString(36)}-${i}`.toUpperCase();
    const { done: floor } = await besides(port, list, () => upsert(database, series));
    await eventLoopP99(port);
    const { done: seconds, times } = await besides(port, list, () => sync(port, database, devices(series, DEVICES)));
    const lag = await eventLoopP99(port);
    const before = await written(database);
    const again = await sync(port, database, devices(series, DEVICES), 'unchanged');
    const after = await written(database);
    if (JSON.stringify(before) !== JSON.stringify(after))
      throw new Error(`Syncing the same devices again changed something: ${JSON.stringify([before, after])}`);
    rows.push({
      over: floor / seconds,
      lag,
      p99: percentile(times, 0.99),
      rate: DEVICES / seconds,
      floor: DEVICES / floor,
      again: DEVICES / again,
    });
  }
  const middle = (of: (row: (typeof rows)[number]) => number) => round(median(rows.map(of)));
  report.table(`${DEVICES} devices of a collector (upsert of ${AT_ONCE} rows a statement is the floor)`, [
    {
      'floor rows/s': middle((each) => each.floor),
      'new devices/s': middle((each) => each.rate),
      over: middle((each) => each.over),
      'the same again/s': middle((each) => each.again),
      'event loop p99 ms': middle((each) => each.lag),
      'others p99 ms': middle((each) => each.p99),
    },
  ]);
  report.measured('assetSync', median(rows.map((each) => each.over)));
  report.measured('assetSyncLoop', median(rows.map((each) => each.lag)));
  report.measured('assetSyncOthers', median(rows.map((each) => each.p99)));
}

function devices(series: string, n: number) {
  return Array.from({ length: n }, (_, i) => ({
    hostname: `HOST-${series}-${i}`,
    serial_number: `S-${series}-${i}`,
    ip_address: `172.${16 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}`,
    asset_type: 'Laptop',
    manufacturer: 'HP',
    model: 'EliteBook',
    operating_system: 'Windows 11',
  }));
}

/** Returns seconds. @throws Error unless every device has this `outcome` */
async function sync(port: number, { token }: AssetDatabase, found: object[], outcome = 'created'): Promise<number> {
  const began = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}/admin/api/v1/connect/sync/discovery.php`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ devices: found }),
  });
  const { data } = (await answer.json()) as { data?: Record<string, number> };
  if (data?.[outcome] !== found.length) throw new Error(`The sync responded ${answer.status}: ${JSON.stringify(data)}`);
  return (performance.now() - began) / 1000;
}

/** Returns the seconds the database takes to upsert as many rows into a copy of the table. */
async function upsert({ floor: [, uri], places: [place] }: AssetDatabase, series: string): Promise<number> {
  const connection = await createConnection({ uri });
  try {
    await indexed(connection);
    await connection.query('DROP TABLE IF EXISTS asset_floor');
    await connection.query('CREATE TABLE asset_floor LIKE asset');
    await connection.query('INSERT INTO asset_floor SELECT * FROM asset');
    const now = new Date().toISOString().slice(0, 23).replace('T', ' ');
    const all = devices(series, DEVICES).map((each, i) => [
      2_000_000_000 + i,
      each.hostname,
      each.asset_type,
      each.serial_number,
      each.serial_number.toLowerCase(),
      place?.company_number,
      place?.site_number,
      each.ip_address,
      each.manufacturer,
      each.model,
      each.operating_system,
      ...['', '', '', 'discovery', now, now, now],
    ]);
    const began = performance.now();
    for (let at = 0; at < all.length; at += AT_ONCE)
      await connection.query(
        `INSERT INTO asset_floor (asset_number, machine_name, asset_type, serial_number, serial_key, company_number,
          site_number, ip_address, manufacturer, model, operating_system, mac_address, location, notes, source,
          last_seen_at, created_at, updated_at) VALUES ?
          ON DUPLICATE KEY UPDATE ip_address = VALUES(ip_address), last_seen_at = VALUES(last_seen_at)`,
        [all.slice(at, at + AT_ONCE)],
      );
    const seconds = (performance.now() - began) / 1000;
    await connection.query('DROP TABLE asset_floor');
    return seconds;
  } finally {
    await connection.end();
  }
}

/** Returns the data that a changing sync would have written. */
async function written({ floor: [, uri] }: AssetDatabase): Promise<unknown> {
  const connection = await createConnection({ uri, dateStrings: true });
  try {
    const [rows] = await connection.query<RowDataPacket[]>(`SELECT (SELECT COUNT(*) FROM asset) AS assets,
      (SELECT MAX(updated_at) FROM asset) AS updated, (SELECT COUNT(*) FROM discovery_result) AS results,
      (SELECT COUNT(*) FROM asset_change) AS changes,
      (SELECT COUNT(*) FROM event WHERE name LIKE 'asset.%') AS events,
      (SELECT COUNT(*) FROM activity_log WHERE entity_type = 'asset') AS log`);
    return rows;
  } finally {
    await connection.end();
  }
}
