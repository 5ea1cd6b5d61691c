// A fresh database for a test: SQLite in memory, or one of its own on the server that TEST_DATABASE_URL names.
import { createConnection } from 'mysql2/promise';
import type { EntitySchema } from 'typeorm';
import { createTables } from './create-table.ts';
import { openDatabase, type OpenDatabase } from './database.ts';
import { migrate, type Migration } from './migrate.ts';
import { newId } from '../kit/random.ts';

export interface TestDatabaseOptions {
  readonly deadlineMs?: number;
  readonly log?: { warn(o: object, msg: string): void };
}

/**
 * Opens a fresh database with `tables`: by running `migrations` when they are given, straight from the declarations
 * otherwise. `close()` drops it.
 */
export async function openTestDatabase(
  tables: readonly EntitySchema[],
  migrations?: readonly Migration[],
  options: TestDatabaseOptions = {},
): Promise<OpenDatabase> {
  const server = process.env['TEST_DATABASE_URL'];
  const name = `keelson_test_${newId()}`;
  if (server) await atServer(server, `CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
  const url = server ? new URL(name, server).href : undefined;
  // Tests share a machine with many others: a disk that stalls for seconds is not their subject.
  const usual = { url, file: ':memory:', tables, log: silent, pool: 5, deadlineMs: 10_000 };
  const database = await openDatabase({ ...usual, ...options });
  if (migrations) await migrate(database, migrations);
  else await create(database);
  const closeOnly = database.close.bind(database);
  const close = async () => {
    await closeOnly();
    if (server) await atServer(server, `DROP DATABASE ${name}`);
  };
  return Object.assign(database, { close });
}

const silent = { warn: () => {} };

async function create(database: OpenDatabase): Promise<void> {
  const runner = database.source.createQueryRunner();
  try {
    await createTables(runner);
  } finally {
    await runner.release();
  }
}

// The name is made of our own hex digits.
async function atServer(server: string, statement: string): Promise<void> {
  const connection = await createConnection({ uri: server });
  await connection.query(statement);
  await connection.end();
}
