import { input, invalid, plus, z, type Context } from '@keelson/core';
import { backupStates, backupTypes } from './entities.ts';

/** Maximum backups per report. */
export const MOST_BACKUPS = 1000;
const LARGEST = Number.MAX_SAFE_INTEGER;
/** Tolerated clock skew. A backup dated far in the future would look fresh for years. */
const AHEAD = { hours: 1 } as const;

const fields = {
  machine_name: input.optional(input.text(255, { compared: true })),
  asset_id: input.clearable(input.id()),
  backup_type: input.optional(input.choice(backupTypes)),
  status: input.optional(input.choice(backupStates)),
  size_bytes: input.optional(input.int(0, LARGEST)),
  started_at: input.optional(input.timestamp()),
  finished_at: input.clearable(input.timestamp()),
  next_backup_at: input.clearable(input.timestamp()),
  message: input.optionalText(1000),
  /** The tool's own id of the backup. */
  external_id: input.optional(input.text(200)),
};

/** A backup reported by an integration. */
export const ReportedBackup = z.object({ company_number: input.id(), ...fields });
export type ReportedBackup = z.output<typeof ReportedBackup>;

/** A backup reported by a collector, for the collector's company. */
export const CollectedBackup = z.object(fields);

/** Checks rules that span several fields. @throws invalid() naming the field */
export function checkBackup(ctx: Context, given: Omit<ReportedBackup, 'company_number'>): void {
  const { machine_name, asset_id, status, started_at, finished_at } = given;
  if (machine_name === undefined && !asset_id) throw invalid('machine_name is required');
  const latest = plus(ctx.now, AHEAD);
  if (started_at !== undefined && started_at > latest) throw invalid('started_at must not be in the future');
  if (!finished_at) return;
  if (finished_at > latest) throw invalid('finished_at must not be in the future');
  if (started_at !== undefined && finished_at < started_at) throw invalid('finished_at must not be before started_at');
  if (status === 'running') throw invalid('finished_at must not be given while the backup is running');
}
