// When backups run and how many are kept: BACKUP_CRON and BACKUP_KEEP, or what administrators have set.
import { nextTime } from '@keelson/events/job/cron.ts';
import { plus, type Timestamp } from '@keelson/kit/time.ts';
import { z } from 'zod';
import type { Context } from '../plugin/context.ts';
import { setting } from '../plugin/setting/settings.ts';

/** The days on which backups run. @example backupDays.includes('every_day'); // true */
export const backupDays = ['every_day', 'monday_to_friday'] as const;

/** How many daily, weekly and monthly backups are kept. */
export interface BackupsKept {
  readonly daily: number;
  readonly weekly: number;
  readonly monthly: number;
}

export const usualKept: BackupsKept = { daily: 7, weekly: 4, monthly: 12 };

/**
 * Limits for values set in the console. The minimums are high enough that a stolen session cannot delete the history;
 * the environment may set lower values.
 * @example keptLimits.daily; // [7, 365]
 */
export const keptLimits = { daily: [7, 365], weekly: [4, 520], monthly: [0, 120] } as const;

const kept = (name: keyof typeof keptLimits) => z.int().min(keptLimits[name][0]).max(keptLimits[name][1]);

const Schedule = z.object({
  days: z.enum(['off', ...backupDays]),
  /** `01:30`, in the tenant's time zone. */
  at: z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/),
  daily: kept('daily'),
  weekly: kept('weekly'),
  monthly: kept('monthly'),
  /** When it was set; backups due before then are not made up for. */
  since: z.string(),
});
/** A schedule of backups, and how many are kept. */
export type BackupSchedule = z.output<typeof Schedule>;

/**
 * The schedule set in the console. Members are in the order of the shape, so that storing the same schedule again
 * changes nothing.
 */
export const StoredBackupSchedule = setting('core.backup_schedule', Schedule, {
  days: 'off',
  at: '01:30',
  ...usualKept,
  since: '',
});

/** Returns the cron line of a schedule. @example cronOfBackup({ days: 'every_day', at: '01:30' }); // '30 1 * * *' */
export function cronOfBackup({ days, at }: Pick<BackupSchedule, 'days' | 'at'>): string {
  const [hour = 0, minute = 0] = at.split(':').map(Number);
  return `${minute} ${hour} * * ${days === 'monday_to_friday' ? '1-5' : '*'}`;
}

/** Returns the cron line in use, and the time from which it counts; undefined if no backups are scheduled. */
export async function readBackupCron(ctx: Context) {
  const { backupCron } = ctx.app.config;
  if (backupCron !== undefined) return { cron: backupCron, since: '' };
  const stored = await ctx.app.settings.get(ctx, StoredBackupSchedule);
  return stored.days === 'off' ? undefined : { cron: cronOfBackup(stored), since: stored.since };
}

/** Returns how many backups are kept. */
export async function readBackupsKept(ctx: Context): Promise<BackupsKept> {
  const { backupKeep } = ctx.app.config;
  if (backupKeep !== undefined) {
    const [daily = 0, weekly = 0, monthly = 0] = backupKeep.split(',').map(Number);
    return { daily, weekly, monthly };
  }
  return ctx.app.settings.get(ctx, StoredBackupSchedule);
}

/** Returns the time of the next backup; undefined if none is scheduled. @param last when the last one started */
export async function nextBackup(ctx: Context, last: Timestamp | null): Promise<Timestamp | undefined> {
  const schedule = await readBackupCron(ctx);
  if (!schedule) return undefined;
  // Without a previous backup, the current minute counts.
  const after = [last ?? plus(ctx.now, { minutes: -1 }), schedule.since].toSorted().at(-1) ?? ctx.now;
  return nextTime(schedule.cron, ctx.app.zone, after);
}
