// The installation's own backup: made, tried out in a scratch database, and forgotten when it is old.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { seal } from '../backup/container.ts';
import { backupName, madeAt, outdated } from '../backup/keep.ts';
import { tablesIn, type Place } from '../backup/snapshot.ts';
import { writeBackup } from '../backup/write-backup.ts';
import { nextTime } from '../events/cron.ts';
import { plus } from '../kit/time.ts';
import type { App } from '../plugin/app.ts';
import type { Context } from '../plugin/context.ts';
import { loadInstallation } from '../plugin/load.ts';
import { setting } from '../plugin/settings.ts';
import { drill } from './drill.ts';
import { KEY_SUFFIX, keyFor, type Installed } from './restore-backup.ts';

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

/** When the last backup was begun, when the last good one was, its bytes, and what was wrong with the last. */
export type BackupReport = z.infer<(typeof BackupReport)['shape']>;

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
    await drill({ config: app.config, path });
    const removed = await pruneBackups(app);
    await tell({ verified_at: now, bytes, error: '' });
    app.log.info({ path, bytes, removed }, 'backup: made, and restored into a scratch database');
  } catch (error) {
    await tell({ error: error instanceof Error ? error.message : String(error) });
    throw error;
  }
}
