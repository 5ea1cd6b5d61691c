// Creates an installation under test: a folder, a fresh database, and keys, before any process starts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApiKey, newHash } from '@keelson/modules/accounts';
import { createCompany, createEmployee } from '@keelson/modules/directory';
import type { ExecutionContext } from 'ava';
import type { RowDataPacket } from 'mysql2/promise';
import { readConfig } from '../../config/config.ts';
import type { App } from '../../core/plugin/app.ts';
import { openInstallation } from '../../core/process/main.ts';
import { newId } from '../../packages/kit/random.ts';
import { connectTo } from '../../packages/testing/server-connection.ts';
import { noPlugins, sharePages } from '../_tenants.ts';

/** The database server; undefined tests the embedded SQLite. */
export const server = process.env['TEST_DATABASE_URL'];
export const engine = server ? 'MariaDB' : 'SQLite';
export const full = process.env['FAULTS'] === 'full';

/** Returns how often to repeat: few times in CI, where all tests share half an hour; many with FAULTS=full. */
export const amount = (seldom: number, thoroughly: number): number => (full ? thoroughly : seldom);

export const password = 'a long walk by the sea';

type Row = Record<string, any>;

export interface Place {
  /** Environment of every process, without PORT. */
  readonly env: Readonly<Record<string, string>>;
  /** A `vsa_` key with a rate limit no test reaches. */
  readonly key: string;
  readonly companies: readonly number[];
  /** Email of an employee whose password is `password`. */
  readonly employee: string;
  /** Queries the database directly, over a separate connection. */
  ask(statement: string): Promise<Row[]>;
  /** Waits until no connection is left: a server still finishes and commits the statements of a killed process. */
  alone(): Promise<void>;
  /** Opens the product in this process, as a command does, and closes it. */
  open(work: (app: App) => Promise<void>): Promise<void>;
}

export interface PlaceOptions {
  readonly dataDir?: string;
  readonly pluginsDir?: string;
  /** The nodes of a cluster to use instead of the server: `host:port,host:port`. */
  readonly hosts?: string;
}

/** Creates an installation that is removed with the test. */
export async function makePlace(t: ExecutionContext, options: PlaceOptions = {}): Promise<Place> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'keelson-fault-'));
  sharePages(dataDir);
  if (!options.dataDir) t.teardown(() => rmSync(dataDir, { recursive: true, force: true }));
  const [first] = options.hosts?.split(',') ?? [];
  const at = first ? `mysql://root@${first}/` : server;
  const databaseUrl = at ? await makeDatabase(t, at) : undefined;
  const env = {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    // Every change stores its event, even without a receiver.
    KEEP_EVENTS: 'all',
    ...(databaseUrl && { DATABASE_URL: first ? databaseUrl.replace(first, options.hosts ?? '') : databaseUrl }),
    PLUGINS_DIR: options.pluginsDir ?? noPlugins(dataDir),
  };
  const open = async (work: (app: App) => Promise<void>) => {
    const app = await openInstallation(readConfig({ ...env, LOG_LEVEL: 'silent', PASSWORD_COST: '10' }));
    await work(app).finally(() => app.close());
  };
  const file = join(dataDir, 'keelson.db');
  const ask = (statement: string) => (databaseUrl ? askServer(databaseUrl, statement) : askFile(file, statement));
  const alone = async () => (databaseUrl ? aloneOn(databaseUrl) : undefined);
  let made: Pick<Place, 'key' | 'companies' | 'employee'> | undefined;
  await open(async (app) => void (made = await makePeople(app)));
  if (!made) throw new Error('Nothing was created');
  return { env, ask, alone, open, ...made };
}

async function makePeople(app: App) {
  const email = 'erin@example.com';
  const password_hash = await newHash(app.system(), password, { email });
  return app.system().transaction(async (ctx) => {
    const companies: number[] = [];
    for (const customer of ['North', 'South', 'West']) {
      companies.push((await createCompany(ctx, { customer })).company_number);
    }
    const person = { first_name: 'Erin', last_name: 'Example', email, password_hash };
    await createEmployee(ctx, { ...person, company_number: companies[0] ?? 0 });
    const permissions = ['tickets:read', 'tickets:write'];
    const rate = { rate_limit_per_minute: 100_000_000 };
    const { api_key } = await createApiKey(ctx, { type: 'admin', name: 'Fault test', permissions, ...rate });
    return { key: api_key, companies, employee: email };
  });
}

/** Creates a database on the server, dropped with the test; its name is hexadecimal, so it is safe to interpolate. */
export async function makeDatabase(t: ExecutionContext, at: string): Promise<string> {
  const name = `keelson_fault_${newId()}`;
  await askServer(at, `CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
  t.teardown(() => askServer(at, `DROP DATABASE ${name}`));
  return new URL(name, at).href;
}

async function aloneOn(url: string): Promise<void> {
  const others = `SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()`;
  for (let i = 0; i < 500; i++) {
    if ((await askServer(url, others)).length === 0) return;
    await sleep(20);
  }
  throw new Error('Someone is still connected to the database');
}

async function askServer(url: string, statement: string): Promise<Row[]> {
  const connection = await connectTo(url, { dateStrings: true });
  try {
    const [rows] = await connection.query<RowDataPacket[]>(statement);
    return rows;
  } finally {
    await connection.end();
  }
}

async function askFile(file: string, statement: string): Promise<Row[]> {
  const database = new DatabaseSync(file, { timeout: 5000 });
  try {
    return database.prepare(statement).all();
  } finally {
    database.close();
  }
}
