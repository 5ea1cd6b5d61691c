// The installation's own backup: made while it runs, and when BACKUP_CRON says so, tried out and told to the monitoring.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Config } from '../../config/config.ts';
import { seal } from '../backup/container.ts';
import { backupName } from '../backup/keep.ts';
import type { Manifest } from '../backup/manifest.ts';
import { BackupReport } from '../backup/report.ts';
import { tablesIn, type Place } from '../backup/snapshot.ts';
import { writeBackup } from '../backup/write-backup.ts';
import { nextTime } from '../events/cron.ts';
import { sql } from '../database/sql.ts';
import { plus } from '../kit/time.ts';
import type { App } from '../plugin/app.ts';
import type { Context } from '../plugin/context.ts';
import { loadInstallation } from '../plugin/load.ts';
import { copyToStore, pruneBackups } from './backup-places.ts';
import { drill } from './drill.ts';
import { KEY_SUFFIX, keyFor } from './restore-backup.ts';

export interface MadeBackup {
  readonly path: string;
  readonly bytes: number;
  readonly manifest: Manifest;
  /** Whether there is a copy in a store. */
  readonly copied: boolean;
  /** Tables that are not in it: their plugin is not here, so nobody knows what they are. */
  readonly left_out: readonly string[];
}

/** Makes a backup of the application while it runs; the master key goes into a file of its own when asked for. */
export async function makeBackup(app: App, { withMasterKey = false, scheduled = false } = {}): Promise<MadeBackup> {
  const { config, database, storage, version } = app;
  const { migrations } = await loadInstallation(config.pluginsDir);
  const key = keyFor(app);
  const at = app.clock.now();
  const made = await writeBackup(
    {
      place: placeOf(config),
      tables: tablesIn(database.source),
      migrations: migrations.map((each) => each.name),
      storage,
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
  const left_out = await strayTables(app);
  if (left_out.length > 0)
    app.log.warn({ tables: left_out }, 'backup: tables of plugins that are not here are left out');
  return { ...made, left_out, copied: await copyToStore(config, made.path) };
}

/** The tables of the database that no module and no plugin that is here has. */
async function strayTables({ database }: App): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    database.dialect === 'sqlite'
      ? sql`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'`
      : sql`SELECT table_name AS name FROM information_schema.tables
          WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'`,
  );
  const known = new Set([...tablesIn(database.source).map(({ table }) => table), ...OWN_TABLES]);
  return rows.map(({ name }) => name).filter((each) => !known.has(each));
}

/** What the migrations note for themselves; a restore runs them anew. */
const OWN_TABLES = Object.freeze(['migration']);

/** Where the database of a configuration is. */
export function placeOf({ databaseUrl, dataDir }: Config): Place {
  return databaseUrl === undefined ? { file: join(dataDir, 'keelson.db') } : { url: databaseUrl };
}

/** What BACKUP_CRON does when it is time: a backup, a drill with it, and the deletion of old ones. */
export async function backUpWhenDue(ctx: Context<undefined>): Promise<void> {
  const { app, now } = ctx;
  const { backupCron } = app.config;
  if (backupCron === undefined) return;
  const known = await app.settings.get(ctx, BackupReport);
  const next = nextTime(backupCron, app.zone, known.started_at ?? plus(now, { minutes: -1 }));
  if (next === undefined || next > now) return;
  await tellBackup(ctx, { started_at: now });
  try {
    const since = performance.now();
    const made = await makeBackup(app, { scheduled: true });
    const backup_seconds = secondsSince(since);
    const begun = performance.now();
    await drill({ config: app.config, path: made.path });
    await tellBackup(ctx, { ...toldOf(made), backup_seconds, ...verified(now, begun) });
    const removed = await pruneBackups(app.config);
    app.log.info({ path: made.path, bytes: made.bytes, removed }, 'backup: made, and restored into a scratch database');
  } catch (error) {
    await tellBackup(ctx, { error: sentenceOf(error) });
    throw error;
  }
}

/** Adds to what the monitoring knows of backups. */
export async function tellBackup(ctx: Context, report: Partial<BackupReport>): Promise<void> {
  const { settings } = ctx.app;
  await ctx.transaction((each) => settings.change(each, BackupReport, (before) => ({ ...before, ...report })));
}

/** What a drill that went well adds. */
export function verified(at: string, begun: number): Partial<BackupReport> {
  return { verified_at: at, drill_seconds: secondsSince(begun), error: '' };
}

/** What is told of a backup. */
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

export const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const secondsSince = (begun: number): number => Math.round((performance.now() - begun) / 100) / 10;
