// The schedule of the installation's own backups, as set by administrators.
import { conflict, invalid, z, type Context } from '@keelson/core';
import { nextBackup } from '@keelson/core/backup';
import { messageOf } from '@keelson/core/kit';
import { changesBetween } from '@keelson/core/log';
import {
  backupDays,
  checkPlaces,
  readBackupCron,
  readBackupsKept,
  StoredBackupSchedule,
  type BackupSchedule,
} from '@keelson/core/system';

export const ScheduleShape = z.object({
  /** `environment` means BACKUP_CRON, which takes precedence and cannot be changed in the console. */
  source: z.enum(['environment', 'console', 'none']),
  cron: z.string().nullable(),
  days: z.enum(['off', ...backupDays]).nullable(),
  at: z.string().nullable(),
  next_at: z.iso.datetime().nullable(),
  daily: z.int(),
  weekly: z.int(),
  monthly: z.int(),
  /** Whether BACKUP_KEEP sets how many are kept. */
  kept_fixed: z.boolean(),
  /** Whether BACKUP_KEY is set; without it there are no backups. */
  has_key: z.boolean(),
});

export type GivenSchedule = Omit<BackupSchedule, 'since'>;

export async function readSchedule(ctx: Context): Promise<z.output<typeof ScheduleShape>> {
  const { config, settings } = ctx.app;
  const { daily, weekly, monthly } = await readBackupsKept(ctx);
  const stored = await settings.get(ctx, StoredBackupSchedule);
  const fixed = config.backupCron !== undefined;
  return {
    source: fixed ? 'environment' : stored.days === 'off' ? 'none' : 'console',
    cron: (await readBackupCron(ctx))?.cron ?? null,
    days: fixed ? null : stored.days,
    at: fixed ? null : stored.at,
    next_at: (await nextBackup(ctx, ctx.now)) ?? null,
    ...{ daily, weekly, monthly },
    kept_fixed: config.backupKeep !== undefined,
    has_key: config.backupKey !== undefined,
  };
}

/**
 * Stores the schedule after a check that backups can be written. Opens its own transaction.
 * @throws conflict() if the environment defines a schedule, or no key; invalid() if backups cannot be written
 */
export async function changeSchedule(ctx: Context, given: GivenSchedule): Promise<void> {
  checkOurs(ctx);
  if (ctx.app.config.backupKey === undefined)
    throw conflict('Set BACKUP_KEY in the environment first: backups are encrypted with it');
  await checkPlaces(ctx.app.config).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'backup: the folder or the store cannot be used');
    throw invalid(`Backups cannot be written: ${messageOf(error)}`);
  });
  await ctx.transaction((inside) => store(inside, given));
}

/** Turns off scheduled backups. Existing backups are kept. */
export async function removeSchedule(ctx: Context): Promise<void> {
  checkOurs(ctx);
  await store(ctx, { ...(await ctx.app.settings.get(ctx, StoredBackupSchedule)), days: 'off' });
}

async function store(ctx: Context, given: GivenSchedule): Promise<void> {
  const { before, after } = await ctx.app.settings.change(ctx, StoredBackupSchedule, (known) => {
    const same = known.days === given.days && known.at === given.at;
    return { ...given, since: same ? known.since : ctx.now };
  });
  const { since: _was, ...old } = before;
  const { since: _is, ...now } = after;
  const changes = changesBetween(old, now);
  if (Object.keys(changes).length === 0) return;
  const description = after.days === 'off' ? 'Scheduled backups turned off' : 'Backup schedule changed';
  ctx.record({ action: 'update', entity_type: 'setting', entity_id: StoredBackupSchedule.name, description, changes });
}

function checkOurs({ app }: Context): void {
  if (app.config.backupCron !== undefined)
    throw conflict('The backup schedule is set by BACKUP_CRON in the environment: change it there');
}
