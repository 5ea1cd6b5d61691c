// The installation's own backup: made, tried out in a scratch database, and forgotten when it is old.
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { z } from 'zod';
import { backupKey, seal, unseal } from '../backup/container.ts';
import { backupName, madeAt, outdated } from '../backup/keep.ts';
import { readBackup, type Manifest } from '../backup/manifest.ts';
import { restoreInto } from '../backup/restore.ts';
import { tablesIn, type Place } from '../backup/snapshot.ts';
import { writeBackup } from '../backup/write-backup.ts';
import { openDatabase } from '../database/database.ts';
import { migrate, pendingMigrations } from '../database/migrate.ts';
import { nextTime } from '../events/cron.ts';
import { newId } from '../kit/random.ts';
import { plus } from '../kit/time.ts';
import type { App } from '../plugin/app.ts';
import type { Context } from '../plugin/context.ts';
import { loadInstallation } from '../plugin/load.ts';
import { setting } from '../plugin/settings.ts';
import { tablesOf } from './tables.ts';

/** What became of the last backup, for the monitoring. */
export const BackupReport = setting(
  'core.backup',
  z.object({
    started_at: z.string().nullable(),
    /** When the last good one was made and restored into a scratch database. */
    verified_at: z.string().nullable(),
    bytes: z.int(),
    error: z.string(),
  }),
  { started_at: null, verified_at: null, bytes: 0, error: '' },
);

/** What of an application a restore needs: its database may be gone. */
type Installed = Pick<App, 'config' | 'log' | 'plugins'>;

/** When the last backup was begun, when the last good one was, its bytes, and what was wrong with the last. */
export type BackupReport = z.infer<(typeof BackupReport)['shape']>;

const KEY_SUFFIX = '.master-key';

/** The key of the configuration. @throws Error when there is none */
export function keyFor({ config }: Pick<App, 'config'>): Buffer {
  if (config.backupKey === undefined) throw new Error('Set BACKUP_KEY first, as from: openssl rand -base64 32');
  return backupKey(config.backupKey);
}

/** Makes a backup of the application while it runs; the master key goes into a file of its own when asked for. */
export async function makeBackup(app: App, { withMasterKey = false } = {}) {
  const { config, database, storage, version } = app;
  const { migrations } = await loadInstallation(config.pluginsDir);
  const key = keyFor(app);
  const at = app.clock.now();
  const made = await writeBackup(
    {
      place: placeOf(app),
      tables: tablesIn(database.source),
      migrations: migrations.map((each) => each.name),
      storage,
      version,
      tenant: config.tenantSlug,
      at,
    },
    { folder: config.backupDir, name: backupName(config.tenantSlug, at), key },
  );
  if (withMasterKey) {
    const sealed = seal(key, Readable.from([await readFile(config.masterKeyFile)]));
    await writeFile(made.path + KEY_SUFFIX, sealed, { mode: 0o600 });
  }
  return made;
}

/** The newest backup in the folder. @throws Error when there is none */
export async function newestBackup({ config }: Installed): Promise<string> {
  const names = await readdir(config.backupDir).catch(() => []);
  const [newest] = names
    .filter((each) => madeAt(each, config.tenantSlug))
    .toSorted()
    .toReversed();
  if (newest === undefined) throw new Error(`There is no backup in ${config.backupDir}`);
  return join(config.backupDir, newest);
}

/** Deletes backups that BACKUP_KEEP does not keep; answers how many. */
export async function pruneBackups({ config }: App): Promise<number> {
  const [daily = 0, weekly = 0, monthly = 0] = config.backupKeep.split(',').map(Number);
  const old = outdated(await readdir(config.backupDir), config.tenantSlug, { daily, weekly, monthly });
  for (const name of old)
    for (const each of [name, name + KEY_SUFFIX]) await rm(join(config.backupDir, each), { force: true });
  return old.length;
}

/** A drill: reads the whole backup, restores it into a scratch database of this machine, and compares the rows. */
export async function verifyBackup(app: Installed, path: string): Promise<Manifest> {
  const key = keyFor(app);
  await readBackup(path, key);
  const file = join(app.config.dataDir, `verify-${newId()}.db`);
  try {
    return await restoreDatabase(app, path, { file });
  } finally {
    for (const each of ['', '-wal', '-shm', '-journal']) await rm(file + each, { force: true });
  }
}

/**
 * Restores a backup into a new folder with an embedded database, or into an empty database of a server and a folder for
 * files. Everything is checked before anything is written.
 */
export async function restoreBackup(
  app: Installed,
  path: string,
  to: { into: string; files: string },
): Promise<Manifest> {
  const key = keyFor(app);
  await readBackup(path, key);
  const server = /^(?:mysql|mariadb):/.test(to.into);
  if (server) return restoreDatabase(app, path, { url: to.into }, filesInto(to.files));
  await mkdir(to.into, { recursive: true, mode: 0o700 });
  if ((await readdir(to.into)).length > 0) throw new Error(`The folder ${to.into} must be empty`);
  const part = join(to.into, 'restoring.db');
  const manifest = await restoreDatabase(app, path, { file: part }, filesInto(join(to.into, 'files')));
  if (existsSync(path + KEY_SUFFIX)) {
    const plain: Buffer[] = [];
    for await (const each of unseal(key, Readable.from([await readFile(path + KEY_SUFFIX)]))) plain.push(each);
    await writeFile(join(to.into, 'master.key'), Buffer.concat(plain), { mode: 0o600 });
  }
  // Left by the comparison, which only read: they are empty.
  for (const each of ['-wal', '-shm']) await rm(part + each, { force: true });
  await rename(part, join(to.into, 'keelson.db'));
  return manifest;
}

async function restoreDatabase(
  app: Installed,
  path: string,
  place: Place,
  file?: (key: string, bytes: Buffer | undefined) => Promise<void>,
): Promise<Manifest> {
  const { migrations } = await loadInstallation(app.config.pluginsDir);
  const options = { url: undefined, file: '', ...place };
  const database = await openDatabase({ ...options, tables: tablesOf(app.plugins), log: app.log, pool: 1 });
  let tables;
  try {
    if ((await pendingMigrations(database, migrations)).length < migrations.length)
      throw new Error('The database to restore into must be empty');
    await migrate(database, migrations);
    tables = tablesIn(database.source);
  } finally {
    await database.close();
  }
  const names = migrations.map((each) => each.name);
  return restoreInto(path, keyFor(app), { place, tables, migrations: names, ...(file && { file }) });
}

/** Writes files under their keys. One that is there is the same: keys are never used twice. */
function filesInto(folder: string) {
  const open = new Map<string, ReturnType<typeof createWriteStream>>();
  return async (key: string, bytes: Buffer | undefined): Promise<void> => {
    const target = join(folder, key);
    const known = open.get(key);
    if (bytes === undefined) {
      open.delete(key);
      if (!known) return existsSync(target) ? undefined : writeEmpty(target);
      known.end();
      await finished(known);
      return rename(`${target}.part`, target);
    }
    if (!known && existsSync(target)) return;
    if (!known) await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const stream = known ?? createWriteStream(`${target}.part`, { mode: 0o600, flush: true });
    open.set(key, stream);
    await new Promise<void>((resolve, reject) => stream.write(bytes, (error) => (error ? reject(error) : resolve())));
  };
}

async function writeEmpty(target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  await writeFile(target, '', { mode: 0o600 });
}

function placeOf({ config }: App): Place {
  return config.databaseUrl === undefined ? { file: join(config.dataDir, 'keelson.db') } : { url: config.databaseUrl };
}

/** How the backups of the installation are, for its monitoring; undefined when it makes none by itself. */
export async function readBackupReport(ctx: Context): Promise<BackupReport | undefined> {
  return ctx.app.config.backupCron === undefined ? undefined : ctx.app.settings.get(ctx, BackupReport);
}

/** What BACKUP_CRON does when it is time: a backup, a drill with it, and the deletion of old ones. */
export async function backUpWhenDue(ctx: Context<undefined>): Promise<void> {
  const { app, now } = ctx;
  const { backupCron } = app.config;
  if (backupCron === undefined) return;
  const known = await app.settings.get(ctx, BackupReport);
  const next = nextTime(backupCron, app.zone, known.started_at ?? plus(now, { minutes: -1 }));
  if (next === undefined || next > now) return;
  const tell = (report: Partial<BackupReport>) =>
    ctx.transaction((each) => app.settings.change(each, BackupReport, (before) => ({ ...before, ...report })));
  await tell({ started_at: now });
  try {
    const { path, bytes } = await makeBackup(app);
    await verifyBackup(app, path);
    const removed = await pruneBackups(app);
    await tell({ verified_at: now, bytes, error: '' });
    app.log.info({ path, bytes, removed }, 'backup: made, and restored into a scratch database');
  } catch (error) {
    await tell({ error: error instanceof Error ? error.message : String(error) });
    throw error;
  }
}
