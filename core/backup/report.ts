// The result of the installation's last backup, for monitoring.
import { z } from 'zod';
import type { Context } from '../plugin/context.ts';
import { setting } from '../plugin/setting/settings.ts';
import { readBackupCron } from './schedule.ts';

const Told = z.object({
  started_at: z.iso.datetime().nullable(),
  /** When the last good backup was restored into a scratch database and every row compared. */
  verified_at: z.iso.datetime().nullable(),
  bytes: z.int(),
  /** What was wrong with the last backup; empty if it was good. */
  error: z.string(),
  name: z.string().default(''),
  /** When the snapshot of its rows was taken. */
  made_at: z.iso.datetime().nullable().default(null),
  rows: z.int().default(0),
  tables: z.int().default(0),
  files: z.int().default(0),
  /** Whether a copy exists in the object store. */
  copied: z.boolean().default(false),
  backup_seconds: z.number().nullable().default(null),
  drill_seconds: z.number().nullable().default(null),
});

/** The result of the last backup, and of the last drill. */
export const BackupReport = setting('core.backup', Told, {
  started_at: null,
  verified_at: null,
  bytes: 0,
  error: '',
  name: '',
  made_at: null,
  rows: 0,
  tables: 0,
  files: 0,
  copied: false,
  backup_seconds: null,
  drill_seconds: null,
});

const Run = z.object({
  /** When the backup that is being made began; null for none. */
  since: z.iso.datetime().nullable(),
  /** When interrupted backups were repeated within the last day. */
  repeats: z.array(z.iso.datetime()),
});

/** The scheduled backup that is being made. If its process ends, it is left over. Belongs to no restored database. */
export const BackupRun = setting('core.backup_run', Run, { since: null, repeats: [] });
export type BackupRun = z.output<typeof Run>;

/**
 * When the last backup started, when the last good one was verified, its contents, and what was wrong with the last
 * one.
 */
export type BackupReport = z.output<typeof Told>;

/** Returns the result of the last backup, and whether backups are scheduled. */
export async function readBackupReport(ctx: Context): Promise<BackupReport & { readonly scheduled: boolean }> {
  const report = await ctx.app.settings.get(ctx, BackupReport);
  return { ...report, scheduled: (await readBackupCron(ctx)) !== undefined };
}

/** The shape of the result of `readBackupReport`. */
export const BackupReportShape = Told.extend({ scheduled: z.boolean() });
