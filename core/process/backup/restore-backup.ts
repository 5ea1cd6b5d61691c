// Restores a backup of the installation: into a scratch database for a drill, or permanently into a new location.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  backupKey,
  BadBackup,
  unseal,
  attachedFiles,
  readBackup,
  type Manifest,
  type Reader,
  higher,
  raiseNumbers,
  putRow,
  type NamedRow,
  type Numbers,
  restoreInto,
  type Restored,
  type Target,
  filesInto,
  tablesIn,
} from '@keelson/backup';
import { openDatabase } from '@keelson/database/database.ts';
import { migrate, pendingMigrations } from '@keelson/database/migration/migrate.ts';
import { newId } from '@keelson/kit/random.ts';
import { Sequence } from '@keelson/list/allocator.ts';
import { diskStorage } from '@keelson/storage';
import { Attachment } from '../../attachments/attachment.ts';
import { StorageOwner } from '../../attachments/tidy.ts';
import { BackupRun } from '../../backup/report.ts';
import type { App } from '../../plugin/app.ts';
import { loadInstallation } from '../../plugin/load/load.ts';
import { StoredSetting } from '../../plugin/setting/settings.ts';
import { tablesOf } from '../database/tables.ts';

/** The parts of an application a restore needs. Its database may be lost. */
export type Installed = Pick<App, 'config' | 'log' | 'plugins'>;

/** Suffix of the file with a backup's master key. */
export const KEY_SUFFIX = '.master-key';

/** Returns the configured key. @throws Error when there is none */
export function keyFor({ config }: Pick<App, 'config'>): Buffer {
  if (config.backupKey === undefined) throw new Error('Set BACKUP_KEY first, as from: openssl rand -base64 32');
  return backupKey(config.backupKey);
}

/**
 * Reads a whole backup and verifies everything in it.
 * @throws BadBackup when it is damaged or made by another version
 */
export async function checkBackup(app: Installed, path: string, reader: Reader = {}): Promise<Manifest> {
  const manifest = await readBackup(path, keyFor(app), reader);
  const { migrations } = await loadInstallation(app.config.pluginsDir);
  if (manifest.migrations.join() !== migrations.map((each) => each.name).join())
    throw new BadBackup('The backup was made by a different version of Keelson or its plugins');
  return manifest;
}

/**
 * Checks which provider a backup belongs to, so that one provider's data is not replaced with another's by mistake.
 * @throws Error unless it is this installation's, or `of` names its provider
 */
export function requireTenant({ config }: Pick<App, 'config'>, { tenant }: Manifest, of: string | undefined): void {
  if (tenant === (of ?? config.tenantSlug)) return;
  const whose = JSON.stringify(tenant);
  throw new Error(
    of === undefined
      ? `The backup belongs to the service provider ${whose}, but this installation to ${JSON.stringify(config.tenantSlug)}: pass --of ${whose} if this is intended`
      : `The backup belongs to the service provider ${whose}, not ${JSON.stringify(of)}`,
  );
}

/** Runs a drill: reads the whole backup, restores it into a scratch database on this machine, and compares the rows. */
export async function verifyBackup(app: Installed, path: string): Promise<Restored> {
  const attached = attachedFiles(Attachment.name);
  const { deleted_files } = await checkBackup(app, path, attached.reader);
  const wrong = attached.faults(deleted_files);
  if (wrong !== undefined) throw new BadBackup(wrong);
  const file = join(app.config.dataDir, `verify-${newId()}.db`);
  try {
    return await restoreDatabase(app, path, { place: { file } });
  } finally {
    for (const each of ['', '-wal', '-shm', '-journal']) await rm(file + each, { force: true });
  }
}

/**
 * Restores a backup into a new folder with an embedded database, or into an empty server database and a folder for
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
  // Left over from the read-only comparison, and empty.
  for (const each of ['-wal', '-shm']) await rm(part + each, { force: true });
  await rename(part, join(folder, 'keelson.db'));
  return manifest;
}

/** Returns the master key written by `backup --with-master-key`, or undefined. */
export async function masterKeyBeside(app: Installed, path: string): Promise<Buffer | undefined> {
  if (!existsSync(path + KEY_SUFFIX)) return undefined;
  const plain: Buffer[] = [];
  const sealed = Readable.from([await readFile(path + KEY_SUFFIX)]);
  for await (const each of unseal(keyFor(app), sealed)) plain.push(each);
  return Buffer.concat(plain);
}

interface Into extends Pick<Target, 'place' | 'file'> {
  /** Numbers already issued elsewhere, which must not be issued again. */
  readonly known?: Numbers;
  /** The storage owner of the database that is replaced. A copy is none, or it would tidy the original's storage. */
  readonly owner?: NamedRow | undefined;
}

/** Fills an empty database and compares it with the backup. */
export async function restoreDatabase(
  app: Installed,
  path: string,
  { place, file, known, owner }: Into,
): Promise<Restored> {
  const { migrations } = await loadInstallation(app.config.pluginsDir);
  const options = { url: undefined, file: '', ...place };
  const database = await openDatabase({ ...options, tables: tablesOf(app.plugins), log: app.log, pool: 1 });
  let tables;
  try {
    if ((await pendingMigrations(database, migrations)).length < migrations.length)
      throw new Error('The target database must be empty');
    await migrate(database, migrations);
    tables = tablesIn(database.source);
  } finally {
    await database.close();
  }
  const names = migrations.map((each) => each.name);
  const manifest = await restoreInto(path, keyFor(app), { place, tables, migrations: names, ...(file && { file }) });
  // Advance sequences after verifying rows. Skip tables that could not be restored here.
  const strays = manifest.stray_tables.filter((each) => !manifest.elsewhere.includes(each));
  const there = new Set([...tables.map(({ table }) => table), ...strays]);
  const next = Object.entries(higher(manifest.next_ids, known?.ids ?? {})).filter(([table]) => there.has(table));
  const raised = { ids: Object.fromEntries(next), sequences: known?.sequences ?? {} };
  await raiseNumbers(place, raised, Sequence.options.name);
  await putRow(place, StoredSetting.options.name, StorageOwner.name, owner);
  // The backup contains its own start, which would look interrupted.
  await putRow(place, StoredSetting.options.name, BackupRun.name, undefined);
  return manifest;
}
