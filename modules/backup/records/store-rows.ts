// The rows of reported backups. A report of a known backup updates its row, unless it arrives too late.
import { In } from '@keelson/core';
import type { Context } from '@keelson/core';
import { BackupRecord, type BackupMachine } from '../entities.ts';
import type { ReportedBackup } from '../inputs.ts';

export interface StoredBackup {
  readonly outcome: 'created' | 'updated' | 'unchanged';
  readonly machine_id: number;
  readonly record_key: string;
}

/** A new or changed backup. */
export interface KeptBackup {
  readonly after: NewBackup;
  readonly next_backup_at: string | null;
  /** Change in the total size of completed backups. */
  readonly bytes: number;
}

interface Report {
  readonly given: ReportedBackup;
  readonly machine: BackupMachine;
  readonly asset_id: number | null;
}

type NewBackup = Omit<BackupRecord, 'backup_id'>;

/** Stores the backups of a batch. Returns the result of each report, and the backups that changed. */
export async function storeRows(
  ctx: Context,
  reports: readonly Report[],
): Promise<{ stored: StoredBackup[]; kept: KeptBackup[] }> {
  if (reports.length === 0) return { stored: [], kept: [] };
  const keyed = reports.map((each) => ({ ...each, record_key: recordKey(ctx, each.given) }));
  const where = {
    machine_id: In([...new Set(keyed.map((each) => each.machine.machine_id))]),
    record_key: In([...new Set(keyed.map((each) => each.record_key))]),
  };
  const found = await ctx.db.find(BackupRecord, { where, lock: { mode: 'pessimistic_write' } });
  const known = new Map(found.map((each) => [idOf(each), each]));
  const rows = new Map<string, NewBackup>(known);
  const planned = new Map<string, string>();
  const stored = keyed.map(({ given, machine, asset_id, record_key }): StoredBackup => {
    const { machine_id } = machine;
    const at = idOf({ machine_id, record_key });
    const before = rows.get(at);
    const after = merged(ctx, { given, machine, asset_id, record_key }, before);
    rows.set(at, after);
    if (given.next_backup_at) planned.set(at, given.next_backup_at);
    return { outcome: before ? (isSame(before, after) ? 'unchanged' : 'updated') : 'created', machine_id, record_key };
  });
  const kept = [...rows].filter(([at, after]) => !isSame(known.get(at), after));
  for (const [at, after] of kept) {
    const before = known.get(at);
    if (before) await ctx.db.update(BackupRecord, { backup_id: before.backup_id }, changing(after));
  }
  const news = kept.filter(([at]) => !known.has(at)).map(([, after]) => after);
  if (news.length > 0) await ctx.db.insert(BackupRecord, news);
  return {
    stored,
    kept: kept.map(([at, after]) => ({
      after,
      next_backup_at: planned.get(at) ?? null,
      bytes: bytesOf(after) - bytesOf(known.get(at)),
    })),
  };
}

function recordKey(
  ctx: Context,
  { external_id, backup_type = 'full', started_at, finished_at }: ReportedBackup,
): string {
  return external_id === undefined ? `${backup_type} ${started_at ?? finished_at ?? ctx.now}` : `id ${external_id}`;
}

function merged(
  ctx: Context,
  { given, machine, asset_id, record_key }: Report & { record_key: string },
  before?: NewBackup,
) {
  const status = given.status ?? 'completed';
  // A late `running` report does not reopen a finished backup.
  if (before && before.status !== 'running' && status === 'running') return before;
  const begun = given.started_at ?? before?.started_at ?? given.finished_at ?? ctx.now;
  // The clocks of a tool and its machines differ: a backup reported to end before its start had no length.
  const started_at = given.finished_at && given.finished_at < begun ? given.finished_at : begun;
  const end = given.finished_at ?? before?.finished_at ?? (given.started_at && !before ? given.started_at : ctx.now);
  return {
    company_number: machine.company_number,
    machine_id: machine.machine_id,
    asset_id: asset_id ?? before?.asset_id ?? null,
    machine_name: machine.machine_name,
    backup_type: given.backup_type ?? before?.backup_type ?? 'full',
    status,
    size_bytes: given.size_bytes ?? before?.size_bytes ?? 0,
    started_at,
    finished_at: status === 'running' ? null : end,
    message: given.message ?? before?.message ?? '',
    source: before?.source ?? ctx.author.name,
    record_key,
    created_at: before?.created_at ?? ctx.now,
  };
}

/** Returns the fields that a later report of the same backup may change. */
function changing({ status, backup_type, size_bytes, started_at, finished_at, message, asset_id }: NewBackup) {
  return { status, backup_type, size_bytes, started_at, finished_at, message, asset_id };
}

function isSame(before: NewBackup | undefined, after: NewBackup): boolean {
  return before !== undefined && JSON.stringify(changing(before)) === JSON.stringify(changing(after));
}

const bytesOf = (row: NewBackup | undefined): number => (row?.status === 'completed' ? row.size_bytes : 0);
const idOf = ({ machine_id, record_key }: Pick<BackupRecord, 'machine_id' | 'record_key'>) =>
  `${machine_id} ${record_key}`;
