// Runs migrations in order, each exactly once and in one process at a time. Resumes them after a crash.
import { systemClock, toDatabase } from '@keelson/kit/time.ts';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { isBusy } from '../database-error.ts';
import type { OpenDatabase } from '../database.ts';
import { migratorOn, type Migrator, type Step } from './migrator.ts';

export type { Migrator } from './migrator.ts';

export interface Migration {
  /** `1763720000000-tickets`: a millisecond timestamp for ordering, then a readable name. */
  readonly name: string;
  readonly up: (m: Migrator) => Promise<void>;
}

/** How long to retry on SQLite while another process is writing. */
const BUSY_SECONDS = 60;
/** When to report on MySQL that another process is migrating: soon after the start, then at regular intervals. */
const SOON_SECONDS = 1;
const AGAIN_SECONDS = 30;

export interface MigrateOptions {
  /** Called before the first step of a migration if its steps are committed one by one (MySQL). */
  readonly began?: (name: string) => Promise<void>;
  /** Called repeatedly while another process migrates this database (MySQL), with its connection id. */
  readonly waiting?: (connection: number) => void;
}

/** Declares a migration. @throws if the name is not `<milliseconds>-<words>` */
export function migration(name: string, up: Migration['up']): Migration {
  if (!/^\d{13}-[a-z0-9-]{1,80}$/.test(name))
    throw new Error(`A migration must be named <13 digits>-<words>, not ${name}`);
  return { name, up };
}

/**
 * Wraps a TypeORM migration class: `AcmeShelves1790000000000` becomes `1790000000000-acme-shelves`. Its `up` is a
 * single step; its `down` never runs. MySQL cannot roll back DDL, so `up` restarts from the beginning after a crash and
 * should check `hasTable` first.
 * @throws Error if the name does not end with 13 digits
 */
export function fromTypeorm(Written: new () => MigrationInterface): Migration {
  const written = new Written();
  const [, words = '', at = ''] = /^(\w+?)_?(\d{13})$/.exec(written.name ?? Written.name) ?? [];
  const named = words
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
  return migration(`${at}-${named}`, (m) => m.runner((runner) => written.up(runner)));
}

/**
 * Applies pending migrations in order and returns their names. Waits while another process migrates: building an index
 * over a large table takes minutes.
 */
export async function migrate(
  database: OpenDatabase,
  migrations: readonly Migration[],
  options: MigrateOptions = {},
): Promise<string[]> {
  const runner = database.source.createQueryRunner();
  try {
    if (database.dialect === 'sqlite') return await migrateSqlite(runner, migrations);
    return await migrateMysql(runner, migrations, options);
  } finally {
    await runner.release();
  }
}

/** Returns the names of migrations that are not fully applied. */
export async function pendingMigrations(database: OpenDatabase, migrations: readonly Migration[]): Promise<string[]> {
  const applied = await appliedMigrations(database);
  return ordered(migrations)
    .map((each) => each.name)
    .filter((name) => !applied.has(name));
}

/** Returns the names of fully applied migrations, including those of versions and plugins that are not installed. */
export async function appliedMigrations(database: OpenDatabase): Promise<ReadonlySet<string>> {
  const runner = database.source.createQueryRunner();
  try {
    return (await runner.hasTable('migration')) ? await appliedNames(runner) : new Set<string>();
  } finally {
    await runner.release();
  }
}

/** Records the migrations `names` as applied in place of `before`, in one transaction. */
export async function renameApplied(
  database: OpenDatabase,
  before: readonly string[],
  names: readonly string[],
): Promise<void> {
  const runner = database.source.createQueryRunner();
  try {
    await runner.startTransaction();
    for (const name of before) await runner.query('DELETE FROM migration WHERE name = ?', [name]);
    const applied = await appliedNames(runner);
    for (const name of names) if (!applied.has(name)) await note(runner, name);
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  } finally {
    await runner.release();
  }
}

/** Returns the SQL that would align the schema with the declared tables; empty if they match. */
export async function schemaDrift(database: OpenDatabase): Promise<string[]> {
  const { source } = database;
  const { options } = source;
  // Reading the catalogue of a server with many databases can exceed a request's statement timeout.
  const patient =
    'driver' in options && isServer(options) ? new DataSource({ ...options, driver: undefined }) : undefined;
  await patient?.initialize();
  try {
    const { upQueries } = await (patient ?? source).driver.createSchemaBuilder().log();
    return upQueries.map((each) => each.query);
  } finally {
    await patient?.destroy();
  }
}

const isServer = ({ type }: { readonly type: string }): boolean => type === 'mariadb' || type === 'mysql';

// Each migration is one transaction. BEGIN IMMEDIATE is the lock between processes.
async function migrateSqlite(runner: QueryRunner, migrations: readonly Migration[]): Promise<string[]> {
  const done: string[] = [];
  await createJournal(runner);
  for (const each of ordered(migrations)) {
    if ((await appliedNames(runner)).has(each.name)) continue;
    // SQLite alters a table by copying it, which foreign keys would block. The pragma has no effect inside a
    // transaction.
    await runner.query('PRAGMA foreign_keys = OFF');
    try {
      if (await applyInTransaction(runner, each)) done.push(each.name);
    } finally {
      await runner.query('PRAGMA foreign_keys = ON');
    }
  }
  return done;
}

async function applyInTransaction(runner: QueryRunner, { name, up }: Migration): Promise<boolean> {
  await beginInTurn(runner);
  try {
    const first = !(await appliedNames(runner)).has(name);
    if (first) {
      await up(migratorOn(runner, 'sqlite', (work) => work()));
      const broken: unknown[] = await runner.query('PRAGMA foreign_key_check');
      if (broken.length > 0) throw new Error(`${name} leaves ${broken.length} rows with broken references`);
      await note(runner, name);
    }
    await runner.commitTransaction();
    return first;
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}

// Another migrating process holds the lock on the file.
async function beginInTurn(runner: QueryRunner): Promise<void> {
  const until = performance.now() + BUSY_SECONDS * 1000;
  for (;;) {
    try {
      return await runner.startTransaction();
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error;
    }
  }
}

async function migrateMysql(
  runner: QueryRunner,
  migrations: readonly Migration[],
  { began, waiting }: MigrateOptions,
): Promise<string[]> {
  // Building an index may take longer than a request's deadline.
  await runner.query('SET SESSION innodb_lock_wait_timeout = 50, SESSION lock_wait_timeout = 50');
  const limit = runner.dataSource.options.type === 'mariadb' ? 'max_statement_time' : 'max_execution_time';
  const [before]: Record<string, unknown>[] = await runner.query(`SELECT @@SESSION.${limit} AS ms`);
  await runner.query(`SET SESSION ${limit} = 0`);
  const lock = await takeLock(runner, waiting);
  try {
    await createJournal(runner);
    const applied = await appliedNames(runner);
    const pending = ordered(migrations).filter((each) => !applied.has(each.name));
    for (const each of pending) await applyInSteps(runner, each, began);
    return pending.map((each) => each.name);
  } finally {
    await runner.query('SELECT RELEASE_LOCK(?)', [lock]);
    await runner.query(`SET SESSION ${limit} = ${Number(before?.['ms'])}, SESSION innodb_lock_wait_timeout = 1`);
  }
}

async function takeLock(runner: QueryRunner, waiting: MigrateOptions['waiting']): Promise<string> {
  const name = String(await valueOf(runner, "LEFT(CONCAT('keelson.migrate.', DATABASE()), 64)", []));
  for (let seconds = SOON_SECONDS; ; seconds = AGAIN_SECONDS) {
    const taken = await valueOf(runner, 'GET_LOCK(?, ?)', [name, seconds]);
    if (taken === null) throw new Error('The database cannot lock its migrations');
    if (Number(taken) === 1) return name;
    const holder = await valueOf(runner, 'IS_USED_LOCK(?)', [name]);
    if (holder !== null) waiting?.(Number(holder));
  }
}

async function valueOf(runner: QueryRunner, expression: string, values: readonly unknown[]): Promise<unknown> {
  const [row]: Record<string, unknown>[] = await runner.query(`SELECT ${expression} AS value`, [...values]);
  return row?.['value'];
}

// A step is recorded in the same transaction as its row changes, or right after a schema change.
async function applyInSteps(
  runner: QueryRunner,
  { name, up }: Migration,
  began: MigrateOptions['began'],
): Promise<void> {
  const applied = await appliedNames(runner);
  let number = 0;
  const step: Step = async (work) => {
    const mark = `${name}#${++number}`;
    if (applied.has(mark)) return;
    if (number === 1) await began?.(name);
    await inTransaction(runner, async () => {
      await work();
      await note(runner, mark);
    });
  };
  await up(migratorOn(runner, 'mysql', step));
  await inTransaction(runner, async () => {
    await runner.query('DELETE FROM migration WHERE name LIKE ?', [`${name}#%`]);
    await note(runner, name);
  });
}

async function inTransaction(runner: QueryRunner, work: () => Promise<void>): Promise<void> {
  await runner.query('START TRANSACTION');
  try {
    await work();
    await runner.query('COMMIT');
  } catch (error) {
    await runner.query('ROLLBACK');
    throw error;
  }
}

async function createJournal(runner: QueryRunner): Promise<void> {
  const key = runner.dataSource.options.type === 'better-sqlite3' ? '' : ' CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';
  await runner.query(
    `CREATE TABLE IF NOT EXISTS migration (name varchar(120)${key} NOT NULL PRIMARY KEY, applied_at datetime(3) NOT NULL)`,
  );
}

async function appliedNames(runner: QueryRunner): Promise<Set<string>> {
  const rows: Record<string, unknown>[] = await runner.query('SELECT name FROM migration');
  return new Set(rows.map((each) => String(each['name'])));
}

async function note(runner: QueryRunner, name: string): Promise<void> {
  const now = toDatabase(systemClock.now());
  await runner.query('INSERT INTO migration (name, applied_at) VALUES (?, ?)', [name, now]);
}

function ordered(migrations: readonly Migration[]): Migration[] {
  return migrations.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
