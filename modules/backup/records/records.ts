// Views and lists of backups and backed-up machines.
import { by, change, changeAll, IsNull, noun, param, record, view, type Context } from '@keelson/core';
import { CompanyNames } from '@keelson/modules/directory';
import { BackupMachine, BackupRecord } from '../entities.ts';
import { ownCompany } from '../visible.ts';

export const backupNoun = noun(BackupRecord, {
  title: 'Backup',
  filters: (its) => ({
    company_number: its.is('company_number'),
    machine_id: its.is('machine_id'),
    asset_id: its.is('asset_id', param.id()),
    status: its.is('status'),
    backup_type: its.is('backup_type'),
    started_after: its.since('started_at'),
    started_before: its.until('started_at'),
  }),
  sorts: { started_at: by('started_at') },
});

/** A backup with its company and the tool's message (F-46). */
export const BackupItem = view(backupNoun, {
  more: (its) => ({ company_name: its.name(CompanyNames, 'company_number') }),
});

/** A backup as the customer's employees see it. */
export const PortalBackup = view(backupNoun, {
  only: ['backup_id', 'asset_id', 'machine_name', 'backup_type', 'status', 'size_bytes', 'started_at', 'finished_at'],
  visible: ownCompany,
});

export const Machines = record(BackupMachine, {
  title: 'Backed-up machine',
  call: ({ machine_name }) => machine_name,
  filters: (its) => ({ company_number: its.is('company_number'), asset_id: its.is('asset_id', param.id()) }),
  sorts: { machine_name: by('machine_name'), company_number: by('company_number') },
  order: 'asc',
});

export const MachineItem = view(Machines, {
  more: (its) => ({ company_name: its.name(CompanyNames, 'company_number') }),
});

/** Retires a machine, which excludes it from its company's status, or reactivates it. */
export function changeMachine(
  ctx: Context,
  machine: BackupMachine,
  { retired }: { readonly retired: boolean },
): Promise<BackupMachine> {
  const retired_at = retired ? (machine.retired_at ?? ctx.now) : null;
  return change(ctx, Machines, machine, { retired_at });
}

/** Retires the machines of a deleted asset, so that their missing backups raise no alert. */
export async function retireOf(ctx: Context, asset_id: number): Promise<void> {
  const machines = await ctx.db.find(BackupMachine, {
    where: { asset_id, retired_at: IsNull() },
    lock: { mode: 'pessimistic_write' },
  });
  await changeAll(ctx, Machines, machines, { retired_at: ctx.now });
}
