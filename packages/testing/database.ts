// Provides a fresh test database: in-memory SQLite, or a separate database on the server in TEST_DATABASE_URL.
import type { DataSource, EntitySchema } from 'typeorm';
import { openDatabase, type OpenDatabase } from '../database/database.ts';
import { createTables } from '../database/migration/create-table.ts';
import { migrate, type Migration } from '../database/migration/migrate.ts';
import { entityName } from '../database/schema/entity.ts';
import type { NodeSqlite } from '../database/sqlite/sqlite-driver.ts';
import { openSqlite } from '../database/sqlite/sqlite.ts';
import { newId } from '../kit/random.ts';
import { byTables, takeDatabase, type PooledDatabase } from './database-pool.ts';
import { connectTo } from './server-connection.ts';

export interface TestDatabaseOptions {
  readonly deadlineMs?: number;
  readonly log?: { warn(o: object, msg: string): void };
  /** Tables in `tables` that only this test uses. */
  readonly extra?: readonly EntitySchema[];
}

/** Below this number, creating tables is faster than emptying a pooled database. */
const WORTH_POOLING = 30;

/**
 * Opens a fresh database with `tables`. Runs `migrations` if given; otherwise creates the tables from their
 * declarations. `close()` drops or empties the database.
 */
export async function openTestDatabase(
  tables: readonly EntitySchema[],
  migrations?: readonly Migration[],
  { extra = [], ...options }: TestDatabaseOptions = {},
): Promise<OpenDatabase> {
  const server = process.env['TEST_DATABASE_URL'];
  const common = tables.filter((each) => !extra.includes(each));
  const pooled = !migrations && common.length >= WORTH_POOLING;
  const own = server && (pooled ? await takeDatabase(server, common) : await createDatabase(server));
  const url = own && new URL(own.name, server).href;
  // Tests share a busy machine, where the disk may stall for seconds. That must not make them fail.
  const usual = { url, file: ':memory:', tables, log: silent, pool: 5, deadlineMs: 60_000 };
  const image = server || migrations ? undefined : await imageOf(common, () => makeImage(common));
  const described = describedBy(tables, () => ({}));
  const database = await openDatabase({ ...usual, ...options, image, described: described.source });
  described.source ??= database.source;
  const closeOnly = database.close.bind(database);
  const close = async () => {
    await closeOnly();
    if (own) await own.giveBack();
  };
  try {
    if (migrations) await migrate(database, migrations);
    else if (image) await create(database, await tablesOf(database));
    else await create(database, new Set(own && !own.fresh ? common.map(entityName) : []));
  } catch (error) {
    // Open connections would keep the test process alive.
    await close();
    throw error;
  }
  return Object.assign(database, { close });
}

const silent = { warn: () => {} };

/** Returns the names of existing tables, including join tables. */
async function tablesOf(database: OpenDatabase): Promise<Set<string>> {
  const rows = await database.source.query<{ name: string }[]>(`SELECT name FROM sqlite_master WHERE type = 'table'`);
  return new Set(rows.map(({ name }) => name));
}

/** SQLite images with exactly these empty tables. Loading one is ten times as fast as creating the tables. */
const imageOf = byTables<Promise<Uint8Array>>();
/** The first data source with exactly these tables. The others reuse its metadata. */
const describedBy = byTables<{ source?: DataSource }>();

async function makeImage(tables: readonly EntitySchema[]): Promise<Uint8Array> {
  const source = await openSqlite(':memory:', tables, 0);
  try {
    const runner = source.createQueryRunner();
    await createTables(runner, new Set());
    await runner.release();
    return (source.driver as unknown as { databaseConnection: NodeSqlite }).databaseConnection.serialize();
  } finally {
    await source.destroy();
  }
}

async function create(database: OpenDatabase, there: ReadonlySet<string>): Promise<void> {
  const runner = database.source.createQueryRunner();
  try {
    await createTables(runner, there);
  } finally {
    await runner.release();
  }
}

// Safe to interpolate: the name consists of our own hex digits.
async function createDatabase(server: string): Promise<PooledDatabase> {
  const name = `keelson_test_${newId()}`;
  await atServer(server, `CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
  return { name, fresh: true, giveBack: () => atServer(server, `DROP DATABASE ${name}`) };
}

async function atServer(server: string, statement: string): Promise<void> {
  const connection = await connectTo(server);
  await connection.query(statement);
  await connection.end();
}
