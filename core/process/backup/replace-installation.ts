// Restores a backup over the installation in use. Everything is verified and built beside it, its current state is
// saved as a backup, and only then are the two swapped.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import {
  backupName,
  holdDatabase,
  readBackup,
  type Restored,
  numbersOf,
  rowNamed,
  filesInto,
  tablesIn,
  type Columns,
  writeBackup,
} from '@keelson/backup';
import { openDatabase } from '@keelson/database/database.ts';
import { messageOf } from '@keelson/kit/message-of.ts';
import { systemClock } from '@keelson/kit/time.ts';
import { Sequence } from '@keelson/list/allocator.ts';
import type { Storage } from '@keelson/storage';
import { StorageOwner } from '../../attachments/tidy.ts';
import { loadInstallation } from '../../plugin/load/load.ts';
import { StoredSetting } from '../../plugin/setting/settings.ts';
import { tablesOf } from '../database/tables.ts';
import { openStorage } from '../open-storage.ts';
import { egressOf } from '../ports.ts';
import { version } from '../version.ts';
import { besides, placeOf } from './installation-backup.ts';
import {
  checkBackup,
  keyFor,
  masterKeyBeside,
  requireTenant,
  restoreDatabase,
  type Installed,
} from './restore-backup.ts';

export interface Replaced {
  readonly manifest: Restored;
  /** The backup of the previous state, or undefined if there was none. */
  readonly kept: string | undefined;
}

/**
 * Restores a backup over the installation in use, which must be stopped. Nothing changes until the last step.
 * @param of the service provider the backup belongs to, if not this one
 * @throws Error when the installation is running or the backup is another provider's; BadBackup when it is damaged
 */
export async function replaceInstallation(app: Installed, path: string, of?: string): Promise<Replaced> {
  requireTenant(app, await checkBackup(app, path), of);
  const masterKey = await checkMasterKey(app, path);
  const { config } = app;
  const place = placeOf(config);
  const held = await holdDatabase(place);
  const out = egressOf(config);
  try {
    const storage = openStorage(config, out);
    const tables = await declaredTables(app);
    const kept = held.empty ? undefined : await keepState(app, { tables, storage });
    const known = held.empty ? undefined : await numbersOf(place, tables, Sequence.options.name);
    const manifest = await restoreDatabase(app, path, {
      place: held.next,
      file: filesInto(storage),
      ...(known && { known }),
      ...(!held.empty && { owner: await rowNamed(place, StoredSetting.options.name, StorageOwner.name) }),
    });
    if (masterKey) await writeFile(config.masterKeyFile, masterKey, { mode: 0o600, flush: true, flag: 'wx' });
    await held.exchange();
    return { manifest, kept };
  } finally {
    await held.release();
    await out.close();
  }
}

/** Returns the master key to write, if any. @throws Error when the backup's secrets could not be opened here */
async function checkMasterKey(app: Installed, path: string): Promise<Buffer | undefined> {
  const { masterKeyFile } = app.config;
  const beside = await masterKeyBeside(app, path);
  if (!existsSync(masterKeyFile)) return beside;
  if (beside && !beside.equals(await readFile(masterKeyFile)))
    throw new Error(`${masterKeyFile} is not the master key of the backup: move it away first`);
  return undefined;
}

/** Backs up the current state and verifies that backup before relying on it. */
async function keepState(
  app: Installed,
  { tables, storage }: { readonly tables: readonly Columns[]; readonly storage: Storage },
): Promise<string> {
  const { config } = app;
  const { migrations } = await loadInstallation(config.pluginsDir);
  const at = systemClock.now();
  const place = placeOf(config);
  const names = migrations.map((each) => each.name);
  const { strays, untold, applied } = await besides(place, tables, names);
  if (untold.length > 0)
    throw new Error(
      `Tables of plugins that are not installed would be lost, because a backup cannot contain their binary data: ${untold.join(', ')}. Drop them, or restore --into another place`,
    );
  const source = {
    place,
    tables,
    strays,
    applied,
    migrations: names,
    storage,
    version,
    tenant: config.tenantSlug,
    at,
  };
  try {
    const name = backupName(config.tenantSlug, at);
    const { path } = await writeBackup(source, { folder: config.backupDir, name, key: keyFor(app) });
    await readBackup(path, keyFor(app));
    return path;
  } catch (error) {
    const why = messageOf(error);
    throw new Error(`The current installation could not be backed up, so nothing was replaced: ${why}`, {
      cause: error,
    });
  }
}

/** Returns the declared tables, without a database. */
async function declaredTables({ plugins, log }: Installed): Promise<Columns[]> {
  const options = { url: undefined, file: ':memory:', tables: tablesOf(plugins), log, pool: 1 };
  const database = await openDatabase(options);
  try {
    return tablesIn(database.source);
  } finally {
    await database.close();
  }
}
