// Opens the database of a tenant, brought up to date.
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { EntitySchema } from 'typeorm';
import type { Config } from '../../config/config.ts';
import { UNFINISHED } from '../backup/restore.ts';
import { openDatabase, type OpenDatabase } from '../database/database.ts';
import { migrate, pendingMigrations } from '../database/migrate.ts';
import type { Installation } from '../plugin/load.ts';
import { refuseNewerSchema, storeSchemaVersion } from './schema-version.ts';

export interface DatabaseOptions {
  readonly config: Config;
  readonly installation: Installation;
  readonly log: Logger;
  /** When pending migrations are applied: to an empty database only (the default), always, or never. */
  readonly migrate?: 'empty' | 'always' | 'never';
}

/** Opens the database of a configuration. @throws Error in one sentence when it is behind and may not be migrated */
export async function openUpToDate(options: DatabaseOptions, tables: readonly EntitySchema[]): Promise<OpenDatabase> {
  const { config, log } = options;
  const file = join(config.dataDir, 'keelson.db');
  const database = await openDatabase({ url: config.databaseUrl, file, tables, log, pool: config.databasePool });
  try {
    await bringUpToDate(database, options);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function bringUpToDate(
  database: OpenDatabase,
  { installation, migrate: when = 'empty' }: DatabaseOptions,
): Promise<void> {
  if (await isUnfinished(database))
    throw new Error('The database is what a restore that broke off has left: drop it, and restore the backup again.');
  await refuseNewerSchema(database, installation);
  const pending = await pendingMigrations(database, installation.migrations);
  if (pending.length === 0) return when === 'never' ? undefined : storeSchemaVersion(database, installation);
  const empty = pending.length === installation.migrations.length;
  if (when === 'never' || (when === 'empty' && !empty)) {
    throw new Error(
      `The database is behind by ${pending.length} migrations (${pending[0]} and on): run "npm run migrate".`,
    );
  }
  await migrate(database, installation.migrations);
  await storeSchemaVersion(database, installation);
}

async function isUnfinished({ dialect, source }: OpenDatabase): Promise<boolean> {
  // An embedded one has its name only when it is complete.
  if (dialect === 'sqlite') return false;
  const runner = source.createQueryRunner();
  try {
    return await runner.hasTable(UNFINISHED);
  } finally {
    await runner.release();
  }
}

/**
 * A handle with connections of its own for the allocator: callers hold a connection while they wait for a number, and if
 * that needed another one of the same pool, all could wait for ever.
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
