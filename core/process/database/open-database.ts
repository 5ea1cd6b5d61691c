// Opens a tenant's database and brings it up to date.
import { join } from 'node:path';
import { UNFINISHED } from '@keelson/backup';
import { openDatabase, type OpenDatabase } from '@keelson/database/database.ts';
import { migrate, pendingMigrations, type Migration } from '@keelson/database/migration/migrate.ts';
import type { Logger } from 'pino';
import type { EntitySchema } from 'typeorm';
import type { Config } from '../../../config/config.ts';
import { faultText } from '../../plugin/load/fault-text.ts';
import { leaveOut, ownMigrations, type Installation } from '../../plugin/load/load.ts';
import type { Fault, Loaded } from '../../plugin/load/loaded.ts';
import { adoptBaseline } from './baseline.ts';
import { newerPluginSchema, refuseNewerSchema, storeNewest, storeSchemaVersion } from './schema-version.ts';

/** A migration, and the note that it has begun. */
const START_CONNECTIONS = 2;
const START_DEADLINE_MS = 30_000;

export interface DatabaseOptions {
  readonly config: Config;
  readonly installation: Installation;
  readonly log: Logger;
  /** When to apply pending migrations: only to an empty database (the default), always, or never. */
  readonly migrate?: 'empty' | 'always' | 'never';
}

export interface UpToDate {
  readonly database: OpenDatabase;
  /** Excludes plugins whose migrations are pending or failed, and plugins that require them. */
  readonly installation: Installation;
}

/** Opens the configured database. @throws Error in one sentence when it is behind and may not be migrated */
export async function openUpToDate(options: DatabaseOptions, tables: readonly EntitySchema[]): Promise<UpToDate> {
  const { config, log } = options;
  const file = join(config.dataDir, 'keelson.db');
  const database = await openDatabase({ url: config.databaseUrl, file, tables, log, pool: config.databasePool });
  try {
    return { database, installation: await withPatience(database, (patient) => bringUpToDate(patient, options)) };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Runs the work of a start on connections whose statements may take longer than those of a request: the first ones after
 * a restart of the server open every table.
 */
async function withPatience<R>(database: OpenDatabase, work: (patient: OpenDatabase) => Promise<R>): Promise<R> {
  if (database.dialect === 'sqlite') return work(database);
  const patient = await database.another(START_CONNECTIONS, START_DEADLINE_MS);
  try {
    return await work(patient);
  } finally {
    await patient.close();
  }
}

/**
 * Records each migration, on MySQL before its first step, so that older versions also refuse a database whose upgrade
 * stopped half-way.
 */
async function migrateOneByOne(
  database: OpenDatabase,
  own: readonly Migration[],
  pending: readonly string[],
  waiting: (connection: number) => void,
) {
  for (const name of pending) {
    await migrate(
      database,
      own.filter((each) => each.name === name),
      { began: (begun) => storeNewest(database, begun), waiting },
    );
    await storeNewest(database, name);
  }
}

/** Applies pending migrations as `migrate` allows. Returns the installation without plugins that cannot run. */
export async function bringUpToDate(
  database: OpenDatabase,
  { installation, log, migrate: when = 'empty' }: DatabaseOptions,
): Promise<Installation> {
  if (await isUnfinished(database))
    throw new Error('The database is left over from an interrupted restore: drop it and restore the backup again.');
  const own = ownMigrations(installation);
  await adoptBaseline(
    database,
    own.map(({ name }) => name),
    when === 'always',
  );
  await refuseNewerSchema(database, installation);
  const waiting = (connection: number) =>
    log.warn({ connection }, 'waiting for another process, which is migrating the database');
  const pending = await pendingMigrations(database, own);
  const mayMigrate = when === 'always' || (when === 'empty' && pending.length === own.length);
  if (pending.length > 0) {
    if (!mayMigrate) throw new Error(`The database is behind by ${howMany(pending)}: run "npm run migrate".`);
    await (pending.length === own.length
      ? migrate(database, own, { waiting })
      : migrateOneByOne(database, own, pending, waiting));
  }
  if (when !== 'never') await storeSchemaVersion(database, installation);
  const faults: Fault[] = [];
  for (const each of installation.loaded.filter(({ source }) => source === 'plugin')) {
    const message =
      (await newerPluginSchema(database, installation, each.plugin)) ??
      (await migratePlugin(database, each, mayMigrate, waiting));
    if (message !== undefined) faults.push({ plugin: each.plugin.id, message });
  }
  if (faults.length === 0) return installation;
  const rest = leaveOut(installation, faults);
  // With the plugins that require a faulty one.
  const others = rest.leftOut.filter((each) => !installation.leftOut.includes(each));
  for (const { plugin, message } of others) log.error({ plugin }, `plugin left out: ${message}`);
  return rest;
}

/** Migrates the tables of a third-party plugin. Returns why the plugin must be left out, if so. */
async function migratePlugin(
  database: OpenDatabase,
  each: Loaded,
  mayMigrate: boolean,
  waiting: (connection: number) => void,
): Promise<string | undefined> {
  const migrations = each.plugin.migrations ?? [];
  const pending = await pendingMigrations(database, migrations);
  if (pending.length === 0) return undefined;
  if (!mayMigrate) return `its tables are behind by ${howMany(pending)}: run "npm run migrate"`;
  try {
    await migrate(database, migrations, { waiting });
    return undefined;
  } catch (error) {
    const [first] = await pendingMigrations(database, migrations);
    return `its migration ${first} failed (${faultText(error, each.file)}): fix it, then run "npm run migrate"`;
  }
}

const howMany = (pending: readonly string[]): string =>
  pending.length === 1 ? `one migration (${pending[0]})` : `${pending.length} migrations (from ${pending[0]})`;

async function isUnfinished({ dialect, source }: OpenDatabase): Promise<boolean> {
  // An embedded database receives its final name only when complete.
  if (dialect === 'sqlite') return false;
  const runner = source.createQueryRunner();
  try {
    return await runner.hasTable(UNFINISHED);
  } finally {
    await runner.release();
  }
}

/**
 * Opens a handle with separate connections for the allocator. Callers hold a connection while they wait for a number,
 * so allocating from the same pool could deadlock.
 */
export async function openForNumbers(database: OpenDatabase): Promise<OpenDatabase | undefined> {
  if (database.dialect !== 'mysql') return undefined;
  try {
    return await database.another(2);
  } catch (error) {
    await database.close();
    throw error;
  }
}
