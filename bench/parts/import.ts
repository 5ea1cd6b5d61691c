import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import type { Bench } from '../bench.ts';
import { adminList, serveDatabase, type Database } from '../filled.ts';
import { cpuSeconds, residentMiB } from '../node-process.ts';
import { ticketsOf } from '../options.ts';
import { round } from '../report.ts';
import { median } from '../rounds.ts';

const ROWS = 50_000;
const COLUMNS = 'first_name,last_name,email,phone,mobile,title,department,status,asset_edit';
/** Between two questions that somebody else asks meanwhile. */
const PAUSE_MS = 5;

interface Measured {
  /** Rows per second. */
  readonly floor: number;
  readonly product: number;
  /** Seconds of processor time: of the server for the floor; of the product and of the server for the import. */
  readonly floorDb: number;
  readonly app: number;
  readonly db: number;
  /** Milliseconds. */
  readonly lag: number;
  readonly p99: number;
  readonly slowest: number;
  /** MiB. */
  readonly grown: number;
}

/** 50,000 employees from a CSV file, against the database's own load of the same file; and others go on meanwhile. */
export default async function imports({ options, folder, report, database: of }: Bench): Promise<void> {
  const [tickets = 0] = ticketsOf(options);
  const database = await of(tickets);
  const product = await serveDatabase(database);
  const file = join(folder, 'import.csv');
  const rounds: Measured[] = [];
  const used = () => ({ app: cpuSeconds(product.pid), db: database.pid === undefined ? 0 : cpuSeconds(database.pid) });
  try {
    await ask(product.port, database, 200);
    for (let i = 0; i < options.rounds; i++) {
      writeFileSync(file, csv(`${Date.now()}`));
      const atFirst = used();
      const floor = await loadBare(database, folder, file);
      const before = used();
      const memory = residentMiB(product.pid);
      await eventLoopP99(product.port);
      const { seconds, times } = await importFile(product.port, database, readFileSync(file));
      const lag = await eventLoopP99(product.port);
      const after = used();
      rounds.push({
        floor: ROWS / floor,
        floorDb: before.db - atFirst.db,
        product: ROWS / seconds,
        app: after.app - before.app,
        db: after.db - before.db,
        lag,
        p99: times.at(Math.floor(times.length * 0.99)) ?? 0,
        slowest: times.at(-1) ?? 0,
        grown: residentMiB(product.pid) - memory,
      });
    }
  } finally {
    await product.stop();
  }
  const middle = (of: (each: Measured) => number) => median(rounds.map(of));
  report.table(`Import ${ROWS} employees (${bare(database)} is the floor)`, [
    {
      'floor rows/s': Math.round(middle((each) => each.floor)),
      'product rows/s': Math.round(middle((each) => each.product)),
      'floor db CPU s': round(middle((each) => each.floorDb)),
      'app CPU s': round(middle((each) => each.app)),
      'db CPU s': round(middle((each) => each.db)),
      'event loop p99 ms': round(middle((each) => each.lag)),
      'others p99 ms': round(middle((each) => each.p99)),
      'others slowest ms': round(middle((each) => each.slowest)),
      'memory grown MiB': round(rounds[0]?.grown ?? 0),
    },
  ]);
  const over = middle((each) => each.product / each.floor);
  // The goal is about a server's own load; an INSERT in the same process has no way to go.
  if (database.pid !== undefined) report.measured('import', over);
  report.measured(
    'importLoop',
    middle((each) => each.lag),
  );
  report.measured(
    'importOthers',
    middle((each) => each.p99),
  );
}

function csv(series: string): string {
  const lines = [COLUMNS];
  for (let i = 0; i < ROWS; i++) {
    const email = `person.${series}.${i}@customer.example`;
    lines.push(
      `First${i % 997},Last${i % 4999},${email},+1 555 ${i},+1 556 ${i},Clerk,Department ${i % 20},Active,None`,
    );
  }
  return `${lines.join('\n')}\n`;
}

function bare({ floor: [kind] }: Database): string {
  return kind === 'mysql' ? 'LOAD DATA LOCAL INFILE' : 'multi-row INSERT, 1000 a statement';
}

/** Seconds the database alone takes for the same file and the same table. */
async function loadBare(database: Database, folder: string, file: string): Promise<number> {
  const [kind, target] = database.floor;
  return kind === 'mysql' ? loadMysql(target, file) : loadSqlite(target, join(folder, 'import-floor.db'), file);
}

async function loadMysql(uri: string, file: string): Promise<number> {
  const connection = await createConnection({ uri, infileStreamFactory: () => Readable.from(readFileSync(file)) });
  try {
    await connection.query('DROP TABLE IF EXISTS import_floor');
    await connection.query('CREATE TABLE import_floor LIKE employee');
    const started = performance.now();
    await connection.query(`LOAD DATA LOCAL INFILE 'import.csv' INTO TABLE import_floor FIELDS TERMINATED BY ','
      LINES TERMINATED BY '\\n' IGNORE 1 LINES (${COLUMNS})
      SET company_number = 1, email_key = LOWER(email), created_at = NOW(3), updated_at = NOW(3)`);
    const seconds = (performance.now() - started) / 1000;
    const [rows] = await connection.query('SELECT COUNT(*) AS n FROM import_floor');
    if (!JSON.stringify(rows).includes(String(ROWS)))
      throw new Error(`The floor has other rows: ${JSON.stringify(rows)}`);
    await connection.query('DROP TABLE import_floor');
    return seconds;
  } finally {
    await connection.end();
  }
}

function loadSqlite(from: string, to: string, file: string): number {
  const product = new DatabaseSync(from, { readOnly: true });
  const schema = product
    .prepare("SELECT sql FROM sqlite_master WHERE tbl_name = 'employee' AND sql IS NOT NULL ORDER BY type DESC")
    .all();
  product.close();
  const floor = new DatabaseSync(to, { enableForeignKeyConstraints: false });
  try {
    floor.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; DROP TABLE IF EXISTS employee');
    for (const { sql } of schema) floor.exec(String(sql));
    const columns = `company_number, ${COLUMNS}, email_key, created_at, updated_at`;
    const group = `(${columns.replaceAll(/\w+/g, '?')})`;
    const insert = floor.prepare(`INSERT INTO employee (${columns}) VALUES ${Array(1000).fill(group).join(', ')}`);
    const now = '2026-01-01 00:00:00.000';
    const started = performance.now();
    const rows = readFileSync(file, 'utf8').trim().split('\n').slice(1);
    for (let at = 0; at < rows.length; at += 1000) {
      const some = rows.slice(at, at + 1000).map((row) => row.split(','));
      insert.run(...some.flatMap((cells) => [1, ...cells, cells[2] ?? '', now, now]));
    }
    return (performance.now() - started) / 1000;
  } finally {
    floor.close();
  }
}

/** Imports the file; meanwhile somebody else asks for tickets, one question after the other. */
async function importFile(port: number, database: Database, body: Buffer) {
  const company = database.companies[0] ?? 1;
  const started = performance.now();
  let running = true;
  const others = (async () => {
    const times: number[] = [];
    while (running) {
      times.push(...(await ask(port, database, 1)));
      await wait(PAUSE_MS);
    }
    return times.toSorted((a, b) => a - b);
  })();
  const answer = await fetch(
    `http://127.0.0.1:${port}/admin/api/v1/contacts.php?action=import&company_number=${company}`,
    {
      method: 'POST',
      headers: { Authorization: `Bearer ${database.key}`, 'Content-Type': 'text/csv' },
      body: new Uint8Array(body),
    },
  );
  const { data } = (await answer.json()) as { data?: { created: number } };
  const seconds = (performance.now() - started) / 1000;
  running = false;
  if (data?.created !== ROWS) throw new Error(`The import answered ${answer.status}, ${data?.created} created`);
  return { seconds, times: await others };
}

async function ask(port: number, database: Database, times: number): Promise<number[]> {
  const { path, headers } = adminList(database, { per_page: 25 });
  const found: number[] = [];
  for (let i = 0; i < times; i++) {
    const started = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`The list answered ${answer.status}`);
    found.push(performance.now() - started);
  }
  return found;
}

/** Since it was last asked, as the product's metrics tell it. */
async function eventLoopP99(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const seconds = /^nodejs_eventloop_lag_p99_seconds(?:\{[^}]*\})? (\S+)/m.exec(text)?.[1];
  return Number(seconds) * 1000;
}
