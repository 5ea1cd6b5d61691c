import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createConnection } from 'mysql2/promise';
import type { Bench } from '../bench.ts';
import type { AssetDatabase } from '../filled-assets.ts';
import { indexed } from '../indexed.ts';
import { cpuSeconds, type Running } from '../node-process.ts';
import { besides, percentile } from '../others.ts';
import { round } from '../report.ts';
import { median } from '../rounds.ts';

const ROWS = 100_000;
/** Small import that measures the program's start-up time. */
const FEW = 1000;
const COLUMNS = 'machine_name,asset_type,serial_number,status,ip_address,manufacturer,model,operating_system,location';

/**
 * Imports 100,000 assets with `cli import-assets`, against the database's own bulk load, each with concurrent requests.
 */
export async function importAssets({ folder, options, report }: Bench, database: AssetDatabase, { port }: Running) {
  const list = {
    method: 'GET' as const,
    path: '/admin/api/v1/assets.php?per_page=25',
    headers: { Authorization: `Bearer ${database.key}` },
  };
  const file = join(folder, 'assets.csv');
  const rows: Record<'over' | 'floor' | 'floorDb' | 'rate' | 'app' | 'db' | 'p99' | 'grown', number>[] = [];
  const used = () => (database.pid === undefined ? 0 : cpuSeconds(database.pid));
  for (let i = 0; i < options.rounds; i++) {
    const series = `${Date.now().toString(36)}${i}`.toUpperCase();
    writeFileSync(file, csv(`F${series}`, FEW));
    const few = await run(database, file, FEW);
    writeFileSync(file, csv(series, ROWS));
    const { done: floor } = await besides(port, list, () => loadBare(database, file));
    const before = used();
    const { done: all, times } = await besides(port, list, () => run(database, file, ROWS));
    const seconds = all.seconds - few.seconds;
    rows.push({
      over: (floor.seconds / seconds) * ((ROWS - FEW) / ROWS),
      floor: ROWS / floor.seconds,
      floorDb: floor.cpu,
      rate: (ROWS - FEW) / seconds,
      app: all.cpu - few.cpu,
      db: used() - before,
      p99: percentile(times, 0.99),
      grown: all.peak - few.peak,
    });
  }
  const middle = (of: (row: (typeof rows)[number]) => number) => round(median(rows.map(of)));
  report.table(`cli import-assets of ${ROWS} rows (LOAD DATA LOCAL INFILE is the floor)`, [
    {
      'floor rows/s': middle((each) => each.floor),
      'product rows/s': middle((each) => each.rate),
      over: middle((each) => each.over),
      'floor db CPU s': middle((each) => each.floorDb),
      'app CPU s': middle((each) => each.app),
      'db CPU s': middle((each) => each.db),
      'others p99 ms': middle((each) => each.p99),
      'memory grown MiB': middle((each) => each.grown),
    },
  ]);
  report.measured('assetImport', median(rows.map((each) => each.over)));
  report.measured('assetImportOthers', median(rows.map((each) => each.p99)));
  report.measured('assetImportMemory', median(rows.map((each) => each.grown)));
}

function csv(series: string, n: number): string {
  const lines = [COLUMNS];
  for (let i = 0; i < n; i++)
    lines.push(
      `PC-${series}-${i},Laptop,${series}-${i},active,10.${i >> 16}.${(i >> 8) & 255}.${i & 255},HP,Book ${i % 90},Windows 11,Room ${i % 400}`,
    );
  return `${lines.join('\n')}\n`;
}

/** Runs the program as an operator does. The peak is in MiB; `cpu` is its CPU time shortly before it exits. */
async function run({ env, places: [place] }: AssetDatabase, file: string, expected: number) {
  const args = ['cli.js', 'import-assets', '--file', file, '--company', String(place?.company_number)];
  const began = performance.now();
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], ...env, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let told = '';
  child.stdout.on('data', (piece: Buffer) => (told += piece.toString()));
  let [peak, cpu] = [0, 0];
  const watch = setInterval(() => {
    if (child.exitCode !== null) return;
    peak = Math.max(peak, peakMiB(child.pid ?? 0));
    cpu = cpuSeconds(child.pid ?? 0);
  }, 50);
  await once(child, 'exit');
  clearInterval(watch);
  if (!told.includes(`${expected} created`)) throw new Error(`Unexpected import output: ${told}`);
  return { seconds: (performance.now() - began) / 1000, cpu, peak };
}

function peakMiB(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch (error) {
    // The process has just exited.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return 0;
    throw error;
  }
}

/** Measures the database's own bulk load into a copy of the table. */
async function loadBare({ floor: [, uri], pid, places: [place] }: AssetDatabase, file: string) {
  const connection = await createConnection({ uri, infileStreamFactory: () => Readable.from(readFileSync(file)) });
  try {
    await indexed(connection);
    await connection.query('DROP TABLE IF EXISTS asset_floor');
    await connection.query('CREATE TABLE asset_floor LIKE asset');
    await connection.query('INSERT INTO asset_floor SELECT * FROM asset');
    await connection.query('SET @number = 2000000000');
    const before = pid === undefined ? 0 : cpuSeconds(pid);
    const began = performance.now();
    await connection.query(
      `LOAD DATA LOCAL INFILE 'assets.csv' INTO TABLE asset_floor FIELDS TERMINATED BY ',' LINES TERMINATED BY '\\n'
      IGNORE 1 LINES (${COLUMNS}) SET company_number = ?, serial_key = LOWER(serial_number), source = 'import',
      asset_number = (@number := @number + 1), mac_address = '', notes = '', created_at = NOW(3), updated_at = NOW(3)`,
      [place?.company_number],
    );
    const seconds = (performance.now() - began) / 1000;
    const cpu = pid === undefined ? 0 : cpuSeconds(pid) - before;
    const [[row]] = (await connection.query(
      `SELECT COUNT(*) AS n FROM asset_floor WHERE asset_number > 2000000000`,
    )) as any;
    if (row.n !== ROWS) throw new Error(`The floor has ${row.n} rows`);
    await connection.query('DROP TABLE asset_floor');
    return { seconds, cpu };
  } finally {
    await connection.end();
  }
}
