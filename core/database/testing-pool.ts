// Databases for tests on a server, emptied and used again: creating a hundred tables for each test costs a second, and
// dropping them as much. A database is in use by who holds the server's lock of its name.
import { createHash } from 'node:crypto';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import type { EntitySchema } from 'typeorm';
import { newId } from '../kit/random.ts';
import { entitiesOn, entityName } from './entity.ts';

/** A database that a test has for itself. */
export interface PooledDatabase {
  readonly name: string;
  /** Without any tables yet. */
  readonly fresh: boolean;
  /** Empties it for the next test. All its other connections must have been closed. */
  giveBack(): Promise<void>;
}

/** A table with more rows is truncated, which takes as long for any number of them. */
const MANY_ROWS = 5000;

/** A database with `tables`, which all are empty. A fresh one is for the caller to fill with them. */
export async function takeDatabase(server: string, tables: readonly EntitySchema[]): Promise<PooledDatabase> {
  // Beside other work this process may not be scheduled for longer than the ten seconds that a connection gets otherwise.
  const connection = await createConnection({ uri: server, multipleStatements: true, connectTimeout: 60_000 });
  await connection.query(`
    CREATE DATABASE IF NOT EXISTS keelson_test_pool;
    CREATE TABLE IF NOT EXISTS keelson_test_pool.pool (
      name varchar(64) NOT NULL PRIMARY KEY, kind varchar(64) NOT NULL, clean tinyint NOT NULL, used_at datetime NOT NULL
    )`);
  const kind = kindOf(tables);
  const known = await findClean(connection, kind);
  const name = known ?? (await createDatabase(connection, kind));
  const giveBack = async () => {
    await empty(connection, name, tables.map(entityName));
    await connection.end();
  };
  return { name, fresh: known === undefined, giveBack };
}

// Two runs may know different tables under the same name, so the kind is made of everything that is declared.
function kindOf(tables: readonly EntitySchema[]): string {
  const options = entitiesOn('mariadb', tables).map((each) => each.options);
  const text = JSON.stringify(options, (_, value: unknown) => (typeof value === 'function' ? String(value) : value));
  return createHash('sha256').update(text).digest('hex');
}

async function findClean(connection: Connection, kind: string): Promise<string | undefined> {
  const [rows] = await connection.query<RowDataPacket[]>(
    'SELECT name FROM keelson_test_pool.pool WHERE kind = ? AND clean = 1',
    [kind],
  );
  for (const { name } of rows) {
    if (!(await lock(connection, name))) continue;
    const [[row]] = await connection.query<RowDataPacket[]>(
      'SELECT clean FROM keelson_test_pool.pool WHERE name = ? AND clean = 1',
      [name],
    );
    // A process that is killed leaves it marked, so that nobody uses what it left behind.
    if (row) return await mark(connection, name, false);
    await unlock(connection, name);
  }
  return undefined;
}

async function createDatabase(connection: Connection, kind: string): Promise<string> {
  await dropOld(connection);
  const name = `keelson_test_${newId()}`;
  await lock(connection, name);
  await connection.query('INSERT INTO keelson_test_pool.pool VALUES (?, ?, 0, NOW())', [name, kind]);
  await connection.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
  return name;
}

/** Drops what killed processes left, and databases of tables that have since been declared differently. */
async function dropOld(connection: Connection): Promise<void> {
  const [rows] = await connection.query<RowDataPacket[]>(
    'SELECT name FROM keelson_test_pool.pool WHERE clean = 0 OR used_at < NOW() - INTERVAL 30 MINUTE',
  );
  for (const { name } of rows) {
    if (!(await lock(connection, name))) continue;
    await drop(connection, name);
    await unlock(connection, name);
  }
}

/** Leaves the database as if its tables had just been created. */
async function empty(connection: Connection, name: string, tables: readonly string[]): Promise<void> {
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT TABLE_NAME AS name, AUTO_INCREMENT AS next, TABLE_ROWS AS count
      FROM information_schema.TABLES WHERE TABLE_SCHEMA = ?`,
    [name],
  );
  const there = new Set(rows.map((each) => String(each['name'])));
  // A test that renamed or dropped a table keeps the database from being used again.
  if (tables.some((each) => !there.has(each))) return drop(connection, name);
  const wanted = new Set(tables);
  const filled = await filledTables(connection, name, tables);
  const steps = rows.flatMap(({ name: table, next, count }) => {
    if (!wanted.has(table)) return [`DROP TABLE ${name}.${table}`];
    if (filled.has(table) && count > MANY_ROWS) return [`TRUNCATE ${name}.${table}`];
    return [
      ...(filled.has(table) ? [`DELETE FROM ${name}.${table}`] : []),
      ...(Number(next ?? 1) > 1 ? [`ALTER TABLE ${name}.${table} AUTO_INCREMENT = 1`] : []),
    ];
  });
  if (steps.length > 0) await connection.query(`SET foreign_key_checks = 0; ${steps.join('; ')}`);
  await mark(connection, name, true);
}

async function filledTables(connection: Connection, name: string, tables: readonly string[]): Promise<Set<string>> {
  const each = tables.map(
    (table) => `SELECT '${table}' AS name FROM DUAL WHERE EXISTS (SELECT 1 FROM ${name}.${table})`,
  );
  const [rows] = await connection.query<RowDataPacket[]>(each.join(' UNION ALL '));
  return new Set(rows.map((row) => String(row['name'])));
}

async function mark(connection: Connection, name: string, clean: boolean): Promise<string> {
  const text = 'UPDATE keelson_test_pool.pool SET clean = ?, used_at = NOW() WHERE name = ?';
  await connection.query(text, [clean, name]);
  return name;
}

async function drop(connection: Connection, name: string): Promise<void> {
  await connection.query(`DROP DATABASE IF EXISTS ${name}`);
  await connection.query('DELETE FROM keelson_test_pool.pool WHERE name = ?', [name]);
}

async function lock(connection: Connection, name: string): Promise<boolean> {
  const [[row]] = await connection.query<RowDataPacket[]>('SELECT GET_LOCK(?, 0) AS taken', [name]);
  return Number(row?.['taken']) === 1;
}

async function unlock(connection: Connection, name: string): Promise<void> {
  await connection.query('SELECT RELEASE_LOCK(?)', [name]);
}
