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
import { plus } from '@keelson/kit/time.ts';
import { chunks } from '@keelson/list/counter/stored-counts.ts';
import { In } from 'typeorm';
import type { Config } from '../../../config/config.ts';
import { Attachment } from '../../attachments/attachment.ts';
import { BackupReport, BackupRun } from '../../backup/report.ts';
import { nextBackup, readBackupsKept } from '../../backup/schedule.ts';
import type { App } from '../../plugin/app.ts';
import type { Context } from '../../plugin/context.ts';
import { loadInstallation } from '../../plugin/load/load.ts';
import { perApp } from '../../plugin/per-app.ts';
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

/** Whether this process is making a scheduled backup. One that misses its deadline goes on after its job has ended. */
const backingUp = perApp(() => ({ is: false }));

/**
 * Runs a scheduled backup if it is due, or was interrupted: makes the backup, drills it, and deletes old backups. No
 * other process does at the same time, because this is a job.
 */
export async function backUpWhenDue(ctx: Context<undefined>): Promise<void> {
  const own = backingUp(ctx.app);
  if (own.is) return;
  own.is = true;
  try {
    await backUpOnce(ctx);
  } finally {
    own.is = false;
  }
}

async function backUpOnce(ctx: Context<undefined>): Promise<void> {
  const { app, now } = ctx;
  try {
    if (!(await begin(ctx))) return;
    const since = performance.now();
    const made = await makeBackup(app, { scheduled: true });
    const backup_seconds = secondsSince(since);
    const begun = performance.now();
    await drill({ config: app.config, path: made.path });
    await tellBackup(ctx, { ...toldOf(made), backup_seconds, ...verified(now, begun) }, ended);
    const removed = await pruneBackups(app.config, await readBackupsKept(ctx));
    app.log.info({ path: made.path, bytes: made.bytes, removed }, 'backup: created and verified in a scratch database');
  } catch (error) {
    await tellBackup(ctx, { error: messageOf(error) }, ended);
    throw error;
  }
}

const ended = { since: null };

/** A backup that ends its process would do so again. */
const MOST_REPEATS = 2;
const WITHIN = { days: -1 } as const;

/**
 * Notes the start of a backup that is due, or that repeats an interrupted one. Returns false if neither is to be made.
 */
async function begin(ctx: Context<undefined>): Promise<boolean> {
  const { app, now } = ctx;
  const { started_at } = await app.settings.get(ctx, BackupReport);
  const run = await app.settings.get(ctx, BackupRun);
  const isInterrupted = run.since !== null;
  const next = await nextBackup(ctx, started_at);
  const isDue = next !== undefined && next <= now;
  const repeats = run.repeats.filter((each) => each > plus(now, WITHIN));
  const isRepeated = isInterrupted && next !== undefined && !isDue && repeats.length < MOST_REPEATS;
  const starts = isDue || isRepeated;
  if (!starts && !isInterrupted) return false;
  if (isInterrupted) app.log.error({ since: run.since, repeated: starts }, 'backup: interrupted, its process ended');
  await tellBackup(
    ctx,
    { ...(starts && { started_at: now }), ...(isInterrupted && { error: 'The backup was interrupted.' }) },
    { since: starts ? now : null, repeats: isRepeated ? [...repeats, now] : repeats },
  );
  return starts;
}

/** Updates the backup status for the monitoring, and the run of a scheduled backup. */
export async function tellBackup(ctx: Context, report: Partial<BackupReport>, run?: Partial<BackupRun>): Promise<void> {
  const { settings } = ctx.app;
  await ctx.transaction(async (each) => {
    await settings.change(each, BackupReport, (before) => ({ ...before, ...report }));
    if (run) await settings.change(each, BackupRun, (before) => ({ ...before, ...run }));
  });
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
