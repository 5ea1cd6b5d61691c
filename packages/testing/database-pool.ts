// A pool of test databases on a server, emptied and reused. Creating a hundred tables takes a second, and dropping
// them another, too long for each test. A named server lock marks a database as in use.
import { createHash } from 'node:crypto';
import type { Connection, RowDataPacket } from 'mysql2/promise';
import type { EntitySchema } from 'typeorm';
import { entitiesOn, entityName } from '../database/schema/entity.ts';
import { newId } from '../kit/random.ts';
import { connectTo } from './server-connection.ts';

/** A database held by one test. */
export interface PooledDatabase {
  readonly name: string;
  /** True if it has no tables yet. */
  readonly fresh: boolean;
  /** Empties the database for the next test. Close all other connections to it first. */
  giveBack(): Promise<void>;
}

/** Above this row count a table is truncated, which takes constant time. */
const MANY_ROWS = 5000;

/** Remembers one value for each list of tables. */
export function byTables<Value>() {
  const known: { readonly tables: readonly EntitySchema[]; readonly value: Value }[] = [];
  return (tables: readonly EntitySchema[], make: () => Value): Value => {
    const isIt = (each: (typeof known)[number]) =>
      each.tables.length === tables.length && each.tables.every((table, at) => table === tables[at]);
    const found = known.find(isIt);
    if (found) return found.value;
    const value = make();
    known.push({ tables, value });
    return value;
  };
}

/** Takes a database whose `tables` are all empty. The caller creates the tables in a fresh one. */
export async function takeDatabase(server: string, tables: readonly EntitySchema[]): Promise<PooledDatabase> {
  const connection = await connectTo(server, { multipleStatements: true });
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

const kinds = byTables<string>();

// Two runs may declare different tables under the same name, so hash the full declarations.
function kindOf(tables: readonly EntitySchema[]): string {
  return kinds(tables, () => {
    const options = entitiesOn('mariadb', tables).map((each) => each.options);
    const text = JSON.stringify(options, (_, value: unknown) => (typeof value === 'function' ? String(value) : value));
    return createHash('sha256').update(text).digest('hex');
  });
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
    // Mark it as dirty while in use, so that no one reuses it after a crash.
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

/** Drops databases left by killed processes, and those whose table declarations have since changed. */
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

/** Resets the database to the state after creating its tables. */
async function empty(connection: Connection, name: string, tables: readonly string[]): Promise<void> {
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT TABLE_NAME AS name, AUTO_INCREMENT AS next, TABLE_ROWS AS count
      FROM information_schema.TABLES WHERE TABLE_SCHEMA = ?`,
    [name],
  );
  const there = new Set(rows.map((each) => String(each['name'])));
  // A test renamed or dropped a table, so the database cannot be reused.
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
