// Restoring a backup of the installation: for a drill into a scratch database, or for good into a new place.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { backupKey, BadBackup, unseal } from '../backup/container.ts';
import { Attachment } from '../attachments/attachment.ts';
import { attachedFiles } from '../backup/attached-files.ts';
import { readBackup, type Manifest, type Reader } from '../backup/manifest.ts';
import { higher, raiseNumbers, type Numbers } from '../backup/numbers.ts';
import { restoreInto, type Restored, type Target } from '../backup/restore.ts';
import { filesInto } from '../backup/restored-files.ts';
import { tablesIn } from '../backup/snapshot.ts';
import { openDatabase } from '../database/database.ts';
import { migrate, pendingMigrations } from '../database/migrate.ts';
import { newId } from '../kit/random.ts';
import type { App } from '../plugin/app.ts';
import { loadInstallation } from '../plugin/load.ts';
import { diskStorage } from '../storage/disk.ts';
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

/**
 * Reads a whole backup, and checks everything in it.
 * @throws BadBackup when anything is not as it was written, or it is of another version
 */
export async function checkBackup(app: Installed, path: string, reader: Reader = {}): Promise<Manifest> {
  const manifest = await readBackup(path, keyFor(app), reader);
  const { migrations } = await loadInstallation(app.config.pluginsDir);
  if (manifest.migrations.join() !== migrations.map((each) => each.name).join())
    throw new BadBackup('The backup was made by another version of Keelson or of its plugins');
  return manifest;
}

/**
 * Checks whose backup it is: another provider's rows in place of one's own are not what anybody wants by mistake.
 * @throws Error unless it is this installation's, or `of` names its provider
 */
export function requireTenant({ config }: Pick<App, 'config'>, { tenant }: Manifest, of: string | undefined): void {
  if (tenant === (of ?? config.tenantSlug)) return;
  const whose = JSON.stringify(tenant);
  throw new Error(
    of === undefined
      ? `The backup is of the service provider ${whose}, and this installation of ${JSON.stringify(config.tenantSlug)}: say --of ${whose} if you mean it`
      : `The backup is of the service provider ${whose}, not of ${JSON.stringify(of)}`,
  );
}

/** A drill: reads the whole backup, restores it into a scratch database of this machine, and compares the rows. */
export async function verifyBackup(app: Installed, path: string): Promise<Restored> {
  const attached = attachedFiles(Attachment.name);
  await checkBackup(app, path, attached.reader);
  const wrong = attached.faults();
  if (wrong !== undefined) throw new BadBackup(wrong);
  const file = join(app.config.dataDir, `verify-${newId()}.db`);
  try {
    return await restoreDatabase(app, path, { place: { file } });
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
  to: { into: string; files: string; of?: string | undefined },
): Promise<Restored> {
  requireTenant(app, await checkBackup(app, path), to.of);
  const into = (folder: string) => filesInto(diskStorage(folder, join(folder, 'arrivals')));
  const server = /^(?:mysql|mariadb):/.test(to.into);
  if (server) return restoreDatabase(app, path, { place: { url: to.into }, file: into(to.files) });
  await mkdir(to.into, { recursive: true, mode: 0o700 });
  if ((await readdir(to.into)).length > 0) throw new Error(`The folder ${to.into} must be empty`);
  try {
    return await restoreFolder(app, path, { folder: to.into, file: into(join(to.into, 'files')) });
  } catch (error) {
    for (const each of await readdir(to.into)) await rm(join(to.into, each), { recursive: true, force: true });
    throw error;
  }
}

async function restoreFolder(
  app: Installed,
  path: string,
  { folder, file }: { readonly folder: string; readonly file: NonNullable<Target['file']> },
): Promise<Restored> {
  const part = join(folder, 'restoring.db');
  const manifest = await restoreDatabase(app, path, { place: { file: part }, file });
  const masterKey = await masterKeyBeside(app, path);
  if (masterKey) await writeFile(join(folder, 'master.key'), masterKey, { mode: 0o600 });
  // Left by the comparison, which only read: they are empty.
  for (const each of ['-wal', '-shm']) await rm(part + each, { force: true });
  await rename(part, join(folder, 'keelson.db'));
  return manifest;
}

/** The master key that `backup --with-master-key` wrote; undefined when it did not. */
export async function masterKeyBeside(app: Installed, path: string): Promise<Buffer | undefined> {
  if (!existsSync(path + KEY_SUFFIX)) return undefined;
  const plain: Buffer[] = [];
  const sealed = Readable.from([await readFile(path + KEY_SUFFIX)]);
  for await (const each of unseal(keyFor(app), sealed)) plain.push(each);
  return Buffer.concat(plain);
}

interface Into extends Pick<Target, 'place' | 'file'> {
  /** Numbers that were given out elsewhere, and are not given out again. */
  readonly known?: Numbers;
}

/** Fills an empty database, and compares it. */
export async function restoreDatabase(app: Installed, path: string, { place, file, known }: Into): Promise<Restored> {
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
  const manifest = await restoreInto(path, keyFor(app), { place, tables, migrations: names, ...(file && { file }) });
  // Behind the comparison: the rows are as they were, and the numbers go on.
  // Those of tables that could not be restored here are nobody's.
  const strays = manifest.stray_tables.filter((each) => !manifest.elsewhere.includes(each));
  const there = new Set([...tables.map(({ table }) => table), ...strays]);
  const next = Object.entries(higher(manifest.next_ids, known?.ids ?? {})).filter(([table]) => there.has(table));
  await raiseNumbers(place, { ids: Object.fromEntries(next), sequences: known?.sequences ?? {} });
  return manifest;
}
