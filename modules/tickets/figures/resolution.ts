// Resolution time and targets (T-24), as code and as SQL expressions for counters.
import { int, secondsBetween, type Timestamp } from '@keelson/core';
import type { ComputedValue } from '@keelson/core/list';

interface Closable {
  readonly created_at: Timestamp;
  readonly closed_at?: Timestamp | null;
  readonly resolution_ms?: number | null;
}

const HOUR_MS = 3_600_000;
/** Target hours by priority. */
const targets: Readonly<Record<number, number>> = { 1: 4, 2: 8, 3: 24, 4: 72, 5: 120 };
const LONGEST = 120;

const openMs = { sqlite: openMsOn('sqlite'), mysql: openMsOn('mysql') };
const targetMs = `CASE priority ${Object.entries(targets)
  .map(([priority, hours]) => `WHEN ${priority} THEN ${hours * HOUR_MS}`)
  .join(' ')} ELSE ${LONGEST * HOUR_MS} END`;

/** Milliseconds to resolution: those of the ticket's SLA, or else from creation to closing; null while open. */
export const openFor: ComputedValue = {
  column: int(),
  of: (ticket) => {
    const ms = readOpenMs(ticket);
    return ms === null ? null : Number((ticket as Closable).resolution_ms ?? ms);
  },
  sql: { sqlite: openForOn('sqlite'), mysql: openForOn('mysql') },
};

/**
 * 1 if closed within the target, 0 if later; null while open. The target is that of the ticket's SLA, or else the
 * priority's.
 */
export const inTime: ComputedValue = {
  column: int(),
  of: (ticket) => {
    const ms = readOpenMs(ticket);
    if (ms === null) return null;
    const { target_met } = ticket;
    return Number(target_met ?? ms <= targetOf(ticket['priority']) * HOUR_MS);
  },
  sql: { sqlite: inTimeOn('sqlite'), mysql: inTimeOn('mysql') },
};

function inTimeOn(dialect: 'sqlite' | 'mysql'): string {
  return `CASE WHEN closed_at IS NULL THEN NULL ELSE COALESCE(target_met, ${openMs[dialect]} <= ${targetMs}) END`;
}

function openForOn(dialect: 'sqlite' | 'mysql'): string {
  return `CASE WHEN closed_at IS NULL THEN NULL ELSE COALESCE(resolution_ms, ${openMs[dialect]}) END`;
}

const targetOf = (priority = 3): number => targets[priority] ?? LONGEST;

function readOpenMs(row: object): number | null {
  const { created_at, closed_at } = row as Closable;
  return closed_at ? Math.round(secondsBetween(created_at, closed_at) * 1000) : null;
}

function openMsOn(dialect: 'sqlite' | 'mysql'): string {
  if (dialect === 'mysql') return 'TIMESTAMPDIFF(MICROSECOND, created_at, closed_at) DIV 1000';
  return 'CAST(ROUND((julianday(closed_at) - julianday(created_at)) * 86400000) AS INTEGER)';
}
