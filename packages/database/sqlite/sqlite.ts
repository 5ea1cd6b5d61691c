// Opens a SQLite database as a TypeORM data source, on Node's own driver and with safe settings.
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DataSource, DataSourceOptions, EntitySchema } from 'typeorm';
import { entitiesOn } from '../schema/entity.ts';
import { Source } from '../schema/source.ts';
import { convertOurselves } from '../transaction/manager.ts';
import { NodeSqlite } from './sqlite-driver.ts';
import { serialiseSqlite } from './sqlite-runner.ts';

/**
 * SQLite's lock wait blocks the whole process with all its tenants. It therefore waits only briefly, and the query
 * runner retries later. Opening a file is not retried, so it waits longer.
 */
const OPENING_TIMEOUT_MS = 50;
const BUSY_TIMEOUT_MS = 2;
const FULL = 2;

type Row = Record<string, unknown>;

/**
 * Opens a SQLite file (mode 0600) or ':memory:' as a TypeORM source.
 * @param patienceMs maximum wait of a statement for its turn
 * @param image initial contents; for tests only
 * @param described a source with the same tables, to reuse its metadata; for tests only
 * @throws if it cannot run with `synchronous = FULL`: lower settings lose acknowledged rows in a power cut
 */
export async function openSqlite(
  file: string,
  tables: readonly EntitySchema[],
  patienceMs: number,
  image?: Uint8Array,
  described?: DataSource,
): Promise<DataSource> {
  if (file !== ':memory:') makePrivate(file);
  const options: DataSourceOptions = {
    type: 'better-sqlite3',
    driver: NodeSqlite,
    database: file,
    timeout: OPENING_TIMEOUT_MS,
    statementCacheSize: 2000,
    enableWAL: file !== ':memory:',
    prepareDatabase: (database: NodeSqlite) => {
      if (image) database.deserialize(image);
      prepare(database);
    },
    entities: entitiesOn('sqlite', tables),
    logging: false,
  };
  const source = new Source(options, described);
  convertOurselves(source);
  serialiseSqlite(source, patienceMs);
  await source.initialize();
  await source.query(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  await refuseUnsafe(source);
  return source;
}

// SQLite gives its -wal and -shm files the mode of the main file.
function makePrivate(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}

function prepare(database: NodeSqlite): void {
  database.pragma('synchronous = FULL');
  database.pragma('journal_size_limit = 67108864');
}

async function refuseUnsafe(source: DataSource): Promise<void> {
  const expected = { synchronous: FULL, foreign_keys: 1 };
  for (const [pragma, wanted] of Object.entries(expected)) {
    const [row]: Row[] = await source.query(`PRAGMA ${pragma}`);
    if (row?.[pragma] === wanted) continue;
    await source.destroy();
    throw new Error(`SQLite runs with ${pragma} = ${String(row?.[pragma])}, but ${wanted} is required`);
  }
}
