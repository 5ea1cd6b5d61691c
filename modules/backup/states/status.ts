// Backup status (BK-02, BK-05): a machine's follows from its last backup, a company's from its machines.
import { plus, sql, toDatabase, type Context, type Sql, type Timestamp } from '@keelson/core';
import { fromDatabase } from '@keelson/core/kit';
import type { BackupState } from '../entities.ts';

/** Backups are daily and may be slightly late (BK-02). */
export const FRESH_HOURS = 26;

export interface Summary {
  readonly company_number: number;
  readonly machines: number;
  readonly failed_machines: number;
  readonly late_machines: number;
  readonly last_backup_at: Timestamp | null;
  readonly next_backup_at: Timestamp | null;
  readonly stored_bytes: number;
}

/** Returns `failed` while any machine's last backup failed, `warning` while any machine has no recent one. */
export function statusOf({
  machines,
  failed_machines,
  late_machines,
}: Pick<Summary, 'machines' | 'failed_machines' | 'late_machines'>): BackupState['status'] {
  if (machines === 0) return 'not_configured';
  if (failed_machines > 0) return 'failed';
  return late_machines > 0 ? 'warning' : 'healthy';
}

/** Returns the figures of one company; all 0 without a machine. */
export async function readSummary(ctx: Context, company_number: number): Promise<Summary> {
  const [found] = await readSummaries(ctx, sql`company_number = ${company_number}`, 1);
  return found ?? { company_number, ...nothing };
}

/** Returns the figures of the next companies that ever had a machine, by number. */
export function nextSummaries(ctx: Context, after: number, limit: number): Promise<Summary[]> {
  return readSummaries(ctx, sql`company_number > ${after}`, limit);
}

/** SQL conditions for machines that make their company fail or warn. */
export const isFailing = sql`(retired_at IS NULL AND last_status = 'failed')`;
export const isLate = ({ now }: Context): Sql => sql`(retired_at IS NULL AND COALESCE(last_status, '') <> 'failed'
  AND COALESCE(last_completed_at, created_at) < ${toDatabase(plus(now, { hours: -FRESH_HOURS }))})`;

const nothing = {
  machines: 0,
  failed_machines: 0,
  late_machines: 0,
  last_backup_at: null,
  next_backup_at: null,
  stored_bytes: 0,
};

async function readSummaries(ctx: Context, which: Sql, limit: number): Promise<Summary[]> {
  const now = toDatabase(ctx.now);
  const rows = await ctx.db.query<{ [K in keyof Summary]: string | number | null }>(sql`SELECT company_number,
      SUM(CASE WHEN retired_at IS NULL THEN 1 ELSE 0 END) AS machines,
      SUM(CASE WHEN ${isFailing} THEN 1 ELSE 0 END) AS failed_machines,
      SUM(CASE WHEN ${isLate(ctx)} THEN 1 ELSE 0 END) AS late_machines,
      MAX(CASE WHEN retired_at IS NULL THEN last_completed_at END) AS last_backup_at,
      MIN(CASE WHEN retired_at IS NULL AND next_backup_at > ${now} THEN next_backup_at END) AS next_backup_at,
      SUM(stored_bytes) AS stored_bytes
    FROM backup_machine WHERE ${which} GROUP BY company_number ORDER BY company_number LIMIT ${limit}`);
  return rows.map((row) => ({
    company_number: Number(row.company_number),
    machines: Number(row.machines),
    failed_machines: Number(row.failed_machines),
    late_machines: Number(row.late_machines),
    last_backup_at: moment(row.last_backup_at),
    next_backup_at: moment(row.next_backup_at),
    stored_bytes: Number(row.stored_bytes),
  }));
}

const moment = (at: string | number | null): Timestamp | null => (at === null ? null : fromDatabase(String(at)));
