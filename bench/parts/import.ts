import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'undici';
import type { Bench } from '../bench.ts';
import { adminList, serveDatabase, type Database } from '../filled.ts';
import { COLUMNS, loadBare, ROWS } from '../import-floor.ts';
import { cpuSeconds, residentMiB } from '../node-process.ts';
import { ticketsOf } from '../options.ts';
import { round } from '../report.ts';
import { median } from '../rounds.ts';

/** Pause between the requests of the concurrent client. */
const PAUSE_MS = 5;

interface Measured {
  /** Rows per second. */
  readonly floor: number;
  readonly product: number;
  /** CPU seconds: of the database server for the floor; of the product and the server for the import. */
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

/** Imports 50,000 employees from CSV, against the database's own bulk load, with concurrent requests. */
export default async function imports({ options, folder, report, database: of }: Bench): Promise<void> {
  const [tickets = 0] = ticketsOf(options);
  const database = await of(tickets);
  const product = await serveDatabase(database);
  const file = join(folder, 'import.csv');
  const rounds: Measured[] = [];
  const used = () => ({ app: cpuSeconds(product.pid), db: database.pid === undefined ? 0 : cpuSeconds(database.pid) });
  try {
    await ask(product.port, database, (asked) => asked < 200);
    for (let i = 0; i < options.rounds; i++) {
      writeFileSync(file, csv(`${Date.now()}`));
      const floor = await loadBare(database, folder, file);
      const before = used();
      const memory = residentMiB(product.pid);
      await eventLoopP99(product.port);
      const { seconds, times } = await importFile(product.port, database, readFileSync(file));
      const lag = await eventLoopP99(product.port);
      const after = used();
      rounds.push({
        floor: ROWS / floor.seconds,
        floorDb: floor.cpu,
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
  // The goal compares with a server's bulk load; with SQLite, the INSERT runs in-process.
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

/** Imports the file while another client lists tickets, one request at a time. */
async function importFile(port: number, database: Database, body: Buffer) {
  const company = database.companies[0] ?? 1;
  const started = performance.now();
  let running = true;
  const others = ask(port, database, () => running, PAUSE_MS);
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
  if (data?.created !== ROWS) throw new Error(`The import responded ${answer.status}, ${data?.created} created`);
  return { seconds, times: (await others).toSorted((a, b) => a - b) };
}

async function ask(
  port: number,
  database: Database,
  goesOn: (asked: number) => boolean,
  pauseMs = 0,
): Promise<number[]> {
  const { path, headers } = adminList(database, { per_page: 25 });
  const found: number[] = [];
  // Not fetch: it costs as much CPU here as the product's response, and both share the CPU with the import.
  const client = new Client(`http://127.0.0.1:${port}`);
  try {
    while (goesOn(found.length)) {
      const started = performance.now();
      const answer = await client.request({ method: 'GET', path, headers });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`The list responded ${answer.statusCode}`);
      found.push(performance.now() - started);
      await wait(pauseMs);
    }
  } finally {
    await client.close();
  }
  return found;
}

/** Returns the delay since the previous call, from the product's metrics. */
async function eventLoopP99(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const seconds = /^nodejs_eventloop_lag_p99_seconds(?:\{[^}]*\})? (\S+)/m.exec(text)?.[1];
  return Number(seconds) * 1000;
}
