// Upgrades the database to this version safely: migrations run on a copy, which replaces the database only after this
// version has opened it. A failure before that changes nothing.
import { existsSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { copyDatabase, holdDatabase, madeAt, scratchCopy, type Place } from '@keelson/backup';
import { openDatabase } from '@keelson/database/database.ts';
import { pendingMigrations } from '@keelson/database/migration/migrate.ts';
import { messageOf } from '@keelson/kit/message-of.ts';
import { plus, systemClock } from '@keelson/kit/time.ts';
import { createLogger, type Logger } from '@keelson/log/log.ts';
import { memoryLimiter } from '@keelson/security/limit.ts';
import { loadMasterKey, openVault } from '@keelson/security/vault.ts';
import type { Config } from '../../../config/config.ts';
import type { CommandInput, Shell } from '../../plugin/declaration/command.ts';
import { loadInstallation, sentences, type Installation } from '../../plugin/load/load.ts';
import { listBackups } from '../backup/backup-places.ts';
import { placeOf } from '../backup/installation-backup.ts';
import { createApp } from '../create-app.ts';
import { bringUpToDate } from '../database/open-database.ts';
import { requireOwnKey } from '../database/own-key.ts';
import { tablesOf } from '../database/tables.ts';
import { forEachTenant, refuseDrift } from './command-runs.ts';

/** A backup older than this does not count. */
const RECENT = { hours: -24 };
/** The copy, plus room for a migration that rewrites its largest tables. */
const ROOM = 2;
const MIB = 1024 * 1024;

/** Implements `cli upgrade`. */
export async function upgrade(shell: Shell, { check, backup }: CommandInput): Promise<void> {
  await forEachTenant(shell, async (config, print) => {
    const installation = await loadInstallation(config.pluginsDir, { trial: {} });
    await upgradeDatabase(config, installation, { check: check === true, backup: backup !== false, print });
  });
}

export interface UpgradeOptions {
  /** Only rehearse it on a copy of the database, which may be in use. */
  readonly check: boolean;
  /** Require a recent backup. */
  readonly backup: boolean;
  readonly print: (line: string) => void;
}

/**
 * Upgrades one tenant's database.
 * @throws Error in one sentence; the database is then unchanged
 */
export async function upgradeDatabase(
  config: Config,
  installation: Installation,
  { check, backup, print }: UpgradeOptions,
): Promise<void> {
  const log = createLogger({ level: 'silent' });
  const place = placeOf(config);
  if ('file' in place && !existsSync(place.file)) throw new Error(`There is no database in ${config.dataDir}`);
  if (installation.leftOut.length > 0) print(`Plugins left out:\n${sentences(installation.leftOut)}`);
  const pending = await pendingIn(place, installation, log);
  if (pending.length === 0) return print('The database is up to date. Nothing was changed.');
  print(`Pending: ${pending.join(', ')}`);
  await requireRoom(place);
  if (backup && !check) await requireBackup(config);
  const since = performance.now();
  const seconds = () => `${((performance.now() - since) / 1000).toFixed(1)} s`;
  if (check) {
    const copy = await scratchCopy(place);
    try {
      print(`Copied in ${seconds()}`);
      await migrateCopy(config, copy.place, installation, log);
    } finally {
      await copy.remove();
    }
    return print(`The upgrade succeeds; on a copy it took ${seconds()}. Nothing was changed.`);
  }
  const held = await holdDatabase(place);
  try {
    await copyDatabase(place, held.next);
    print(`Copied in ${seconds()}`);
    await migrateCopy(config, held.next, installation, log).catch((error: unknown) => {
      throw new Error(`${messageOf(error)}\nNothing was changed: the database is as it was.`, { cause: error });
    });
    await held.exchange();
  } finally {
    await held.release();
  }
  print(`Upgraded in ${seconds()}. Start this version now.`);
}

/** Migrates a copy, compares it with the declared tables, and opens the application on it. */
async function migrateCopy(config: Config, place: Place, installation: Installation, log: Logger): Promise<void> {
  const tables = tablesOf(installation.loaded.map(({ plugin }) => plugin));
  const open = () => openDatabase({ url: undefined, file: '', ...place, tables, log, pool: 2 });
  const database = await open();
  try {
    const ready = await bringUpToDate(database, { config, installation, log, migrate: 'always' });
    const failed = ready.leftOut.filter((each) => !installation.leftOut.includes(each));
    if (failed.length > 0) throw new Error(sentences(failed));
    await refuseDrift({ database, leftOut: ready.leftOut });
  } finally {
    await database.close();
  }
  const vault = openVault(loadMasterKey(config.masterKeyFile, { create: false }));
  const limiter = memoryLimiter();
  const app = await createApp({ config, installation, clock: systemClock, log, vault, limiter, open });
  try {
    await requireOwnKey({ app, made: false, accept: false });
  } finally {
    await app.close();
  }
}

/** Returns the pending migrations, ours and the plugins'. */
async function pendingIn(place: Place, { loaded, migrations }: Installation, log: Logger): Promise<string[]> {
  const tables = tablesOf(loaded.map(({ plugin }) => plugin));
  const database = await openDatabase({ url: undefined, file: '', ...place, tables, log, pool: 1 });
  try {
    return await pendingMigrations(database, migrations);
  } finally {
    await database.close();
  }
}

/**
 * Checks for disk space.
 * @throws Error if the disk has no room for the copy; the disk of a database server cannot be checked from here
 */
async function requireRoom(place: Place): Promise<void> {
  if (!('file' in place)) return;
  const { size } = await stat(place.file);
  const { bavail, bsize } = await statfs(dirname(place.file));
  const [needed, free] = [size * ROOM, bavail * bsize];
  if (free >= needed) return;
  const inMib = (bytes: number) => `${Math.ceil(bytes / MIB)} MiB`;
  throw new Error(`The upgrade needs ${inMib(needed)} in ${dirname(place.file)}, where ${inMib(free)} are free`);
}

/**
 * Checks for a recent backup.
 * @throws Error if there is none from the last 24 hours: only the version that is running now can make one
 */
async function requireBackup(config: Config): Promise<void> {
  const [newest] = await listBackups(config);
  const at = newest && madeAt(newest.name, config.tenantSlug);
  if (at !== undefined && at >= plus(systemClock.now(), RECENT)) return;
  throw new Error(
    `${newest ? `The newest backup is from ${at}` : 'There is no backup'}: make one with the version you run now (node cli.js backup), or pass --no-backup`,
  );
}
