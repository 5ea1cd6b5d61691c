// Backups as a grid: each machine with the outcome of its last days.
import { addDays, listed, pageOf, sql, toDatabase, today, z, type Context, type Sql } from '@keelson/core';
import { fromDatabase } from '@keelson/core/kit';
import { startOfDay } from '@keelson/core/plugin';
import type { AskedOf } from '@keelson/core/record';
import { isFailing, isLate } from '../states/status.ts';
import { MachineItem } from './records.ts';

export const machineHealths = ['failed', 'late', 'ok'] as const;
export type MachineHealth = (typeof machineHealths)[number];

const GridDay = z.object({
  day: z.iso.date(),
  /** The outcome of the day's last finished backup; `none` if there was no backup. */
  status: z.enum(['completed', 'failed', 'running', 'none']),
  completed: z.int(),
  failed: z.int(),
});
type GridDay = z.infer<typeof GridDay>;

export const GridItem = MachineItem.shape.extend({ days: z.array(GridDay) });

/** SQL conditions for machines in use whose backups fail, are missing, or are in order. */
export function isOfHealth(ctx: Context, health: MachineHealth | undefined): Sql {
  if (health === 'failed') return isFailing;
  if (health === 'late') return isLate(ctx);
  if (health === 'ok') return sql`(retired_at IS NULL AND NOT ${isFailing} AND NOT ${isLate(ctx)})`;
  return sql`retired_at IS NULL`;
}

type Asked = AskedOf<typeof MachineItem> & {
  readonly days: number;
  readonly health?: MachineHealth | undefined;
};

/** Returns a page of the machines in use, each with its last days, oldest first. */
export async function gridOf(ctx: Context, { days, health, ...asked }: Asked) {
  const page = await pageOf(ctx, MachineItem, asked, { where: [isOfHealth(ctx, health)] });
  const shown = lastDays(ctx, days);
  const daysOf = await readDays(
    ctx,
    page.rows.map((each) => each.machine_id),
    shown,
  );
  return { ...page, rows: page.rows.map((each) => ({ ...each, days: daysOf(each.machine_id) })) };
}

/** Returns the last days in the tenant's time zone, oldest first. */
function lastDays(ctx: Context, count: number): string[] {
  const last = today(ctx);
  return Array.from({ length: count }, (_, index) => addDays(last, index + 1 - count));
}

interface Found {
  readonly completed: number;
  readonly failed: number;
  readonly running: number;
  readonly last_completed: string;
  readonly last_failed: string;
}

/** Counts the backups of machines by day in one statement, so that hourly backups cost no more rows. */
async function readDays(ctx: Context, ids: readonly number[], days: readonly string[]) {
  const from = toDatabase(startOfDay(ctx, days[0] ?? today(ctx)));
  // Newest first: the first matching branch is the day on which the backup started.
  const branches = days
    .map((day, index) => sql`WHEN started_at >= ${toDatabase(startOfDay(ctx, day))} THEN ${index}`)
    .toReversed()
    .reduce((all, each) => sql`${all} ${each}`);
  const rows =
    ids.length === 0
      ? []
      : await ctx.db.query<Record<keyof Found | 'machine_id' | 'at', string | number | null>>(sql`SELECT machine_id, at,
          SUM(CASE WHEN status = 'completed' THEN 1 ELSE 0 END) AS completed,
          SUM(CASE WHEN status = 'failed' THEN 1 ELSE 0 END) AS failed,
          SUM(CASE WHEN status = 'running' THEN 1 ELSE 0 END) AS running,
          MAX(CASE WHEN status = 'completed' THEN started_at END) AS last_completed,
          MAX(CASE WHEN status = 'failed' THEN started_at END) AS last_failed
        FROM (SELECT machine_id, status, started_at, CASE ${branches} END AS at FROM backup_record
          WHERE machine_id IN ${listed(ids)} AND started_at >= ${from}) AS recent GROUP BY machine_id, at`);
  const moment = (at: string | number | null) => (at === null ? '' : fromDatabase(String(at)));
  const found = new Map(
    rows.map((row): [string, Found] => [
      `${row.machine_id} ${row.at}`,
      {
        completed: Number(row.completed),
        failed: Number(row.failed),
        running: Number(row.running),
        last_completed: moment(row.last_completed),
        last_failed: moment(row.last_failed),
      },
    ]),
  );
  return (id: number): GridDay[] => days.map((day, index) => ({ day, ...outcomeOf(found.get(`${id} ${index}`)) }));
}

function outcomeOf(found: Found | undefined): Omit<GridDay, 'day'> {
  if (!found) return { status: 'none', completed: 0, failed: 0 };
  const { completed, failed, running, last_completed, last_failed } = found;
  if (completed + failed === 0) return { status: running > 0 ? 'running' : 'none', completed, failed };
  return { status: last_failed > last_completed ? 'failed' : 'completed', completed, failed };
}
