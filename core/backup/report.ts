// The result of the installation's last backup, for monitoring.
import { z } from 'zod';
import type { Context } from '../plugin/context.ts';
import { setting } from '../plugin/settings.ts';
import { readBackupCron } from './schedule.ts';

const Told = z.object({
  started_at: z.iso.datetime().nullable(),
  /** When the last good one was restored into a scratch database, with every row compared. */
  verified_at: z.iso.datetime().nullable(),
  bytes: z.int(),
  /** The fault of the last one; empty when it was good. */
  error: z.string(),
  name: z.string().default(''),
  /** The time of the snapshot of its rows. */
  made_at: z.iso.datetime().nullable().default(null),
  rows: z.int().default(0),
  tables: z.int().default(0),
  files: z.int().default(0),
  /** Whether a copy is in a store. */
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

/** When the last backup started, when the last good one was verified, its contents, and the fault of the last. */
export type BackupReport = z.output<typeof Told>;

/** Returns the result of the last backup, and whether the installation makes scheduled ones. */
export async function readBackupReport(ctx: Context): Promise<BackupReport & { readonly scheduled: boolean }> {
  const report = await ctx.app.settings.get(ctx, BackupReport);
  return { ...report, scheduled: (await readBackupCron(ctx)) !== undefined };
}

/** The shape of the result of `readBackupReport`. */
export const BackupReportShape = Told.extend({ scheduled: z.boolean() });
