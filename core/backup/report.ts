// What became of the last backup of the installation, for its monitoring.
import { z } from 'zod';
import type { Context } from '../plugin/context.ts';
import { setting } from '../plugin/settings.ts';

const Told = z.object({
  started_at: z.iso.datetime().nullable(),
  /** When the last good one was restored into a scratch database, and every row compared. */
  verified_at: z.iso.datetime().nullable(),
  bytes: z.int(),
  /** What was wrong with the last one; empty when it was good. */
  error: z.string(),
  name: z.string().default(''),
  /** Of what moment its rows are. */
  made_at: z.iso.datetime().nullable().default(null),
  rows: z.int().default(0),
  tables: z.int().default(0),
  files: z.int().default(0),
  /** Whether there is a copy in a store. */
  copied: z.boolean().default(false),
  backup_seconds: z.number().nullable().default(null),
  drill_seconds: z.number().nullable().default(null),
});

/** What became of the last backup, and of the last drill. */
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

/** When the last backup was begun, when the last good one was, what is in it, and what was wrong with the last. */
export type BackupReport = z.output<typeof Told>;

/** Whether the installation makes backups by itself, and what became of the last one. */
export async function readBackupReport(ctx: Context): Promise<BackupReport & { readonly scheduled: boolean }> {
  const { settings, config } = ctx.app;
  return { ...(await settings.get(ctx, BackupReport)), scheduled: config.backupCron !== undefined };
}

/** The shape of what `readBackupReport` answers. */
export const BackupReportShape = Told.extend({ scheduled: z.boolean() });
