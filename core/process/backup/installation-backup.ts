// The installation's own backup: created at run time, scheduled, verified and reported to monitoring.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  seal,
  backupName,
  type Manifest,
  tablesIn,
  type Columns,
  type Place,
  appliedBesides,
  strayTables,
  writeBackup,
} from '@keelson/backup';
import { addressesOf } from '@keelson/kit/addresses.ts';
import { messageOf } from '@keelson/kit/message-of.ts';
import { chunks } from '@keelson/list/counter/stored-counts.ts';
import { In } from 'typeorm';
import type { Config } from '../../../config/config.ts';
import { Attachment } from '../../attachments/attachment.ts';
import { BackupReport } from '../../backup/report.ts';
import { nextBackup, readBackupsKept } from '../../backup/schedule.ts';
import type { App } from '../../plugin/app.ts';
import type { Context } from '../../plugin/context.ts';
import { loadInstallation } from '../../plugin/load/load.ts';
import { copyToStore, pruneBackups } from './backup-places.ts';
import { drill } from './drill.ts';
import { KEY_SUFFIX, keyFor } from './restore-backup.ts';

export interface MadeBackup {
  readonly path: string;
  readonly bytes: number;
  readonly manifest: Manifest;
  /** Whether a copy exists in the object store. */
  readonly copied: boolean;
  /** Tables left out: they belong to plugins that are not installed and contain binary data. */
  readonly left_out: readonly string[];
}

/** Makes a backup of the running application. On request the master key goes into a separate file. */
export async function makeBackup(app: App, { withMasterKey = false, scheduled = false } = {}): Promise<MadeBackup> {
  const { config, database, storage, version } = app;
  const { migrations } = await loadInstallation(config.pluginsDir);
  const key = keyFor(app);
  const at = app.clock.now();
  const place = placeOf({ ...config, databaseUrl: database.url() });
  const tables = tablesIn(database.source);
  const names = migrations.map((each) => each.name);
  const { strays, untold, applied } = await besides(place, tables, names);
  const made = await writeBackup(
    {
      place,
      tables,
      strays,
      applied,
      migrations: names,
      storage,
      attached: {
        table: Attachment.name,
        column: 'stored_as',
        async deleted(keys) {
          const stored = new Set<string>();
          for (const some of chunks(keys))
            for (const { stored_as } of await database.findBy(Attachment, { stored_as: In(some) }))
              stored.add(stored_as);
          return keys.filter((each) => !stored.has(each));
        },
      },
      version,
      tenant: config.tenantSlug,
      at,
    },
    { folder: config.backupDir, name: backupName(config.tenantSlug, at, { scheduled }), key },
  );
  if (withMasterKey) {
    const sealed = seal(key, Readable.from([await readFile(config.masterKeyFile)]));
    await writeFile(made.path + KEY_SUFFIX, sealed, { mode: 0o600 });
  }
  if (untold.length > 0) app.log.warn({ tables: untold }, 'backup: skipped tables with binary data');
  return { ...made, left_out: untold, copied: await copyToStore(config, made.path) };
}

/** Returns what the database contains from plugins that are not installed. */
export async function besides(place: Place, tables: readonly Columns[], migrations: readonly string[]) {
  const { tables: strays, untold } = await strayTables(
    place,
    tables.map(({ table }) => table),
  );
  return { strays, untold, applied: await appliedBesides(place, migrations) };
}

/** Returns the connection to the configured database, using its first node. */
export function placeOf({ databaseUrl, dataDir }: Config): Place {
  return databaseUrl === undefined ? { file: join(dataDir, 'keelson.db') } : { url: addressesOf(databaseUrl)[0] ?? '' };
}

/** Runs a scheduled backup if it is due: makes the backup, drills it, and deletes old backups. */
export async function backUpWhenDue(ctx: Context<undefined>): Promise<void> {
  const { app, now } = ctx;
  const known = await app.settings.get(ctx, BackupReport);
  try {
    const next = await nextBackup(ctx, known.started_at);
    if (next === undefined || next > now) return;
    await tellBackup(ctx, { started_at: now });
    const since = performance.now();
    const made = await makeBackup(app, { scheduled: true });
    const backup_seconds = secondsSince(since);
    const begun = performance.now();
    await drill({ config: app.config, path: made.path });
    await tellBackup(ctx, { ...toldOf(made), backup_seconds, ...verified(now, begun) });
    const removed = await pruneBackups(app.config, await readBackupsKept(ctx));
    app.log.info({ path: made.path, bytes: made.bytes, removed }, 'backup: created and verified in a scratch database');
  } catch (error) {
    await tellBackup(ctx, { error: messageOf(error) });
    throw error;
  }
}

/** Updates the backup status for the monitoring. */
export async function tellBackup(ctx: Context, report: Partial<BackupReport>): Promise<void> {
  const { settings } = ctx.app;
  await ctx.transaction((each) => settings.change(each, BackupReport, (before) => ({ ...before, ...report })));
}

/** Returns the status update after a successful drill. */
export function verified(at: string, begun: number): Partial<BackupReport> {
  return { verified_at: at, drill_seconds: secondsSince(begun), error: '' };
}

/** Returns the status update for a backup. */
export function toldOf({
  path,
  manifest,
  ...more
}: Pick<MadeBackup, 'path' | 'bytes' | 'manifest'> & { copied?: boolean }) {
  const tables = Object.values(manifest.tables);
  const rows = tables.reduce((sum, each) => sum + each.rows, 0);
  return {
    name: path.slice(path.lastIndexOf('/') + 1),
    made_at: manifest.at,
    rows,
    tables: tables.length,
    files: manifest.files.count,
    ...more,
  };
}

const secondsSince = (begun: number): number => Math.round((performance.now() - begun) / 100) / 10;
