// Backup locations: the folder BACKUP_DIR, plus copies in an object store if BACKUP_S3_URL is set.
import { existsSync } from 'node:fs';
import { access, constants, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { madeAt, outdated, backupStore, type BackupStore, type StoredBackup } from '@keelson/backup';
import type { Config } from '../../../config/config.ts';
import type { BackupsKept } from '../../backup/schedule.ts';
import { egressOf } from '../ports.ts';
import { KEY_SUFFIX } from './restore-backup.ts';

export interface ListedBackup extends StoredBackup {
  readonly where: string;
}

/** Checks that backups can be written to the folder and copied to the store. @throws Error with the reason */
export async function checkPlaces(config: Config): Promise<void> {
  await mkdir(config.backupDir, { recursive: true, mode: 0o700 });
  await access(config.backupDir, constants.W_OK);
  await withStore(config, [], (store) => store.list());
}

/** Copies a backup and its key file to the store. Returns false if there is no store. */
export function copyToStore(config: Config, path: string): Promise<boolean> {
  return withStore(config, false, async (store) => {
    for (const each of [path, path + KEY_SUFFIX]) if (existsSync(each)) await store.put(nameOf(each), each);
    return true;
  });
}

/** Returns all backups of the tenant, newest first. */
export async function listBackups(config: Config): Promise<ListedBackup[]> {
  const { backupDir, tenantSlug } = config;
  const here: ListedBackup[] = [];
  for (const name of await namesIn(backupDir))
    here.push({ name, bytes: (await stat(join(backupDir, name))).size, where: backupDir });
  const there = await withStore(config, [], (store) => store.list());
  const all = [...here, ...there.map((each) => ({ ...each, where: config.backupS3Url ?? '' }))];
  return all.filter(({ name }) => madeAt(name, tenantSlug)).toSorted((a, b) => b.name.localeCompare(a.name));
}

/**
 * Returns the file of a backup given by path or by name. A named backup is looked up in BACKUP_DIR or fetched from the
 * store. Without a name, returns the newest. @throws Error when there is none
 */
export async function findBackup(config: Config, wanted?: string): Promise<string> {
  if (wanted !== undefined && existsSync(wanted)) return wanted;
  const all = await listBackups(config);
  const found = wanted === undefined ? all[0] : all.find(({ name }) => name === wanted);
  if (!found) throw new Error(wanted === undefined ? noBackup(config) : `Backup ${wanted} not found`);
  const path = join(config.backupDir, found.name);
  return existsSync(path) ? path : fetched(config, path);
}

/** Deletes backups beyond those kept, here and in the store. Returns the number deleted. */
export async function pruneBackups(config: Config, kept: BackupsKept): Promise<number> {
  const old = (names: readonly string[]) => outdated(names, config.tenantSlug, kept);
  const here = old(await namesIn(config.backupDir));
  for (const name of here)
    for (const each of [name, name + KEY_SUFFIX]) await rm(join(config.backupDir, each), { force: true });
  const there = await withStore(config, [], async (store) => {
    const gone = old((await store.list()).map(({ name }) => name));
    for (const name of gone) for (const each of [name, name + KEY_SUFFIX]) await store.remove(each);
    return gone;
  });
  return new Set([...here, ...there]).size;
}

async function fetched(config: Config, path: string): Promise<string> {
  await mkdir(config.backupDir, { recursive: true, mode: 0o700 });
  await withStore(config, undefined, async (store) => {
    const there = new Set((await store.list()).map(({ name }) => name));
    // Fetch the key first: if the backup is here, so is its key.
    for (const each of [path + KEY_SUFFIX, path]) {
      if (!there.has(nameOf(each))) continue;
      await store.get(nameOf(each), `${each}.part`);
      await rename(`${each}.part`, each);
    }
  });
  return path;
}

const namesIn = (folder: string): Promise<string[]> => (existsSync(folder) ? readdir(folder) : Promise.resolve([]));

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function noBackup({ backupDir, backupS3Url }: Config): string {
  return `No backups found in ${[backupDir, ...(backupS3Url ? [backupS3Url] : [])].join(' and ')}`;
}

/** Runs `work` with the configured store. Returns `otherwise` if there is none. */
async function withStore<Result>(
  config: Config,
  otherwise: Result,
  work: (store: BackupStore) => Promise<Result>,
): Promise<Result> {
  if (config.backupS3Url === undefined) return otherwise;
  const out = egressOf(config);
  try {
    return await work(
      backupStore({
        endpoint: config.backupS3Url,
        region: config.backupS3Region,
        prefix: config.backupS3Prefix ?? config.tenantSlug,
        accessKeyId: config.backupS3AccessKeyId ?? '',
        secretAccessKey: config.backupS3SecretAccessKey ?? '',
        fetch: out.fetch,
      }),
    );
  } finally {
    await out.close();
  }
}
