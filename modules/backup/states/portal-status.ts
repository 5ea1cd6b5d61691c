// The backups of the caller's company (F-46).
import { show, z, type Context, type EmployeeActor } from '@keelson/core';
import { BackupRecord, BackupState, companyStates } from '../entities.ts';
import { PortalBackup } from '../records/records.ts';
import { drillStates } from './state-list.ts';
import { readSummary, statusOf } from './status.ts';

const RECENT = 10;

export const PortalStatus = z.object({
  status: z.enum(companyStates),
  last_backup_at: z.iso.datetime().nullable(),
  next_backup_at: z.iso.datetime().nullable(),
  storage_used_bytes: z.int(),
  protected_assets: z.int(),
  /** The result of the last restore drill, or `never_tested`. */
  restore_test: z.enum(drillStates),
  last_drill_on: z.iso.date().nullable(),
  recent_backups: z.array(PortalBackup.shape),
});

export async function readPortalStatus(ctx: Context<EmployeeActor>) {
  const { company_number } = ctx.actor;
  const summary = await readSummary(ctx, company_number);
  const state = await ctx.db.findOneBy(BackupState, { company_number });
  const rows = await ctx.db.find(BackupRecord, {
    where: { company_number },
    order: { started_at: 'DESC', backup_id: 'DESC' },
    take: RECENT,
  });
  return {
    status: statusOf(summary),
    last_backup_at: summary.last_backup_at,
    next_backup_at: summary.next_backup_at,
    storage_used_bytes: summary.stored_bytes,
    protected_assets: summary.machines,
    restore_test: state?.last_drill_result ?? ('never_tested' as const),
    last_drill_on: state?.last_drill_on ?? null,
    recent_backups: [...(await show(ctx, PortalBackup, rows))],
  };
}
