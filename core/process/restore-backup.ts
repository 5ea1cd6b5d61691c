// Restoring a backup of the installation: for a drill into a scratch database, or for good into a new place.
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { backupKey, unseal } from '../backup/container.ts';
import { readBackup, type Manifest } from '../backup/manifest.ts';
import { restoreInto } from '../backup/restore.ts';
import { tablesIn, type Place } from '../backup/snapshot.ts';
import { openDatabase } from '../database/database.ts';
import { migrate, pendingMigrations } from '../database/migrate.ts';
import { newId } from '../kit/random.ts';
import type { App } from '../plugin/app.ts';
import { loadInstallation } from '../plugin/load.ts';
import { tablesOf } from './tables.ts';

/** What of an application a restore needs: its database may be gone. */
export type Installed = Pick<App, 'config' | 'log' | 'plugins'>;

/** What is put behind a backup's name for the file with its master key. */
export const KEY_SUFFIX = '.master-key';

/** The key of the configuration. @throws Error when there is none */
export function keyFor({ config }: Pick<App, 'config'>): Buffer {
  if (config.backupKey === undefined) throw new Error('Set BACKUP_KEY first, as from: openssl rand -base64 32');
  return backupKey(config.backupKey);
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
