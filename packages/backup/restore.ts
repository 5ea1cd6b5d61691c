// Restores a backup into a new, empty database, then compares it row by row. The live database is never touched.
import { open } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import type { Connection } from 'mysql2/promise';
import { readUrl } from './database/past-the-pool.ts';
import { openSnapshot, type Columns, type Place, type RowValues } from './database/snapshot.ts';
import type { Kind } from './database/stray-tables.ts';
import { BadBackup } from './format/container.ts';
import { differences, readBackup, type Manifest } from './format/manifest.ts';
import { summing } from './format/sums.ts';

export interface Target {
  readonly place: Place;
  readonly tables: readonly Columns[];
  readonly migrations: readonly string[];
  /** Stores a file under its key; undefined bytes end it. Without this callback files are only checked. */
  file?(key: string, bytes: Buffer | undefined): Promise<void>;
}

/** What was restored. */
export interface Restored extends Manifest {
  /** Tables of plugins that are not installed, which the backup contains from another kind of database. */
  readonly elsewhere: readonly string[];
}

/**
 * Restores a backup that has been verified. The target's tables must exist, created by the same migrations.
 * @throws BadBackup when it is of another version, or the rows differ afterwards
 */
export async function restoreInto(path: string, key: Buffer, target: Target): Promise<Restored> {
  const { place, tables, migrations } = target;
  const known = new Map(tables.map((each) => [each.table, each]));
  const strays: Columns[] = [];
  /** Tables from another kind of database, which cannot be created here. */
  const elsewhere = new Set<string>();
  const writer = await openWriter(place);
  let manifest: Manifest;
  try {
    for (const { table } of tables) await writer.empty(table);
    manifest = await readBackup(path, key, {
      async table({ table, columns, primary, kind, made }) {
        if (known.has(table) || !made) return;
        if (kind !== writer.kind) return void elsewhere.add(table);
        for (const statement of made) await writer.make(statement);
        strays.push({ table, columns, primary });
      },
      async rows(table, columns, rows) {
        if (elsewhere.has(table)) return;
        const own = known.get(table) ?? strays.find((each) => each.table === table);
        if (!own || columns.some((each) => !own.columns.includes(each)))
          throw new BadBackup(`The backup has a table that does not exist here: ${table}`);
        await writer.insert(table, columns, rows);
      },
      async file(name, bytes) {
        await writer.pause();
        await target.file?.(name, bytes);
      },
    });
    await writer.note(manifest.applied);
    await writer.commit();
  } finally {
    await writer.close();
  }
  const told = Object.fromEntries(Object.entries(manifest.tables).filter(([table]) => !elsewhere.has(table)));
  const wrong = differences(told, await sumsOf(place, [...tables, ...strays]));
  if (wrong.length > 0) throw new BadBackup(`After the restore these tables differ: ${wrong.join(', ')}`);
  if (manifest.migrations.join() !== migrations.join())
    throw new BadBackup('The backup was made by a different version of Keelson or its plugins');
  return { ...manifest, elsewhere: [...elsewhere] };
}

async function sumsOf(place: Place, tables: readonly Columns[]): Promise<Manifest['tables']> {
  const snapshot = await openSnapshot(place);
  try {
    const sums: [string, ReturnType<ReturnType<typeof summing>['result']>][] = [];
    for (const each of tables) {
      const sum = summing();
      for await (const row of snapshot.rows(each)) sum.add(JSON.stringify(row));
      sums.push([each.table, sum.result()]);
    }
    return Object.fromEntries(sums);
  } finally {
    await snapshot.close();
  }
}

interface Writer {
  readonly kind: Kind;
  /** Creates a stray table, or one of its indexes. */
  make(statement: string): Promise<void>;
  /** Records migrations as applied. */
  note(migrations: readonly string[]): Promise<void>;
  empty(table: string): Promise<void>;
  insert(table: string, columns: readonly string[], rows: readonly RowValues[]): Promise<void>;
  /** Keeps no connection open until the next call: reading the files, which follow the rows, may take hours. */
  pause(): Promise<void>;
  commit(): Promise<void>;
  close(): Promise<void>;
}

/** The time as both databases store it: `2026-11-21 09:30:00.000`. */
const now = (): string => new Date().toISOString().slice(0, 23).replace('T', ' ');

function openWriter(place: Place): Promise<Writer> {
  return 'file' in place ? sqliteWriter(place.file) : mysqlWriter(place.url);
}

async function sqliteWriter(file: string): Promise<Writer> {
  // Rows arrive table by table, so the rows they refer to may come later.
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  // The file is new and unused; if the restore fails, it is discarded. Rows are therefore written directly, in batches,
  // so that no large commit blocks a server that verifies its backup.
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
  return {
    kind: 'sqlite',
    async make(statement) {
      database.exec(statement);
    },
    async note(migrations) {
      const statement = database.prepare('INSERT INTO migration (name, applied_at) VALUES (?, ?)');
      for (const each of migrations) statement.run(each, now());
    },
    async empty(table) {
      database.exec(`DELETE FROM "${table}"`);
    },
    async insert(table, columns, rows) {
      const names = columns.map((each) => `"${each}"`).join(', ');
      const statement = database.prepare(
        `INSERT INTO "${table}" (${names}) VALUES (${columns.map(() => '?').join(', ')})`,
      );
      database.exec('BEGIN');
      for (const row of rows) statement.run(...row);
      database.exec('COMMIT');
    },
    async pause() {},
    async commit() {
      database.exec('PRAGMA journal_mode = WAL');
      const handle = await open(file, 'r+');
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
    async close() {
      database.close();
    },
  };
}

/** A table that exists while a database is being filled, so that no process serves the result of a failed restore. */
export const UNFINISHED = 'unfinished_restore';
/** One transaction for a whole installation would be too long for the server, one per batch too slow. */
const PORTIONS = 32;

async function mysqlWriter(url: string): Promise<Writer> {
  const { createConnection } = await import('mysql2/promise');
  const connect = async () => {
    const made = await createConnection({ ...readUrl(url), charset: 'utf8mb4_unicode_ci', timezone: 'Z' });
    await made.query('SET foreign_key_checks = 0, unique_checks = 0');
    await made.query("SET SESSION sql_mode = CONCAT(@@SESSION.sql_mode, ',NO_AUTO_VALUE_ON_ZERO')");
    return made;
  };
  let connection: Connection | undefined = await connect();
  const ask = async (statement: string, values?: readonly unknown[]) => {
    connection ??= await connect();
    await connection.query(statement, values && [...values]);
  };
  await ask(`CREATE TABLE ${UNFINISHED} (since int)`);
  await ask('START TRANSACTION');
  let portions = 0;
  return {
    kind: 'mysql',
    async make(statement) {
      await ask(statement);
      await ask('START TRANSACTION');
    },
    async note(migrations) {
      const applied_at = now();
      for (const each of migrations)
        await ask('INSERT INTO migration (name, applied_at) VALUES (?, ?)', [each, applied_at]);
    },
    async empty(table) {
      await ask(`DELETE FROM \`${table}\``);
    },
    async insert(table, columns, rows) {
      const names = columns.map((each) => `\`${each}\``).join(', ');
      await ask(`INSERT INTO \`${table}\` (${names}) VALUES ?`, [rows]);
      if (++portions % PORTIONS > 0) return;
      await ask('COMMIT');
      await ask('START TRANSACTION');
    },
    async pause() {
      if (!connection) return;
      await ask('COMMIT');
      connection.destroy();
      connection = undefined;
    },
    async commit() {
      await ask('COMMIT');
      await ask(`DROP TABLE ${UNFINISHED}`);
    },
    async close() {
      connection?.destroy();
    },
  };
}
