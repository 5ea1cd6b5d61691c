// The summary of a machine's newest backups. Reports may arrive late and in any order.
import type { BackupMachine } from '../entities.ts';
import type { KeptBackup } from './store-rows.ts';

export type Newest = Pick<BackupMachine, 'last_status' | 'last_finished_at' | 'last_completed_at' | 'next_backup_at'>;

/** Returns the summary updated with one more backup. */
export function newerThan(known: Newest, { after, next_backup_at }: KeptBackup): Newest {
  const { status, finished_at } = after;
  const planned = { ...known, next_backup_at: next_backup_at ?? known.next_backup_at };
  if (status === 'running' || finished_at === null) return planned;
  const last = finished_at >= (known.last_finished_at ?? '');
  const good = status === 'completed' && finished_at > (known.last_completed_at ?? '');
  return {
    ...planned,
    ...(last && { last_status: status, last_finished_at: finished_at }),
    ...(good && { last_completed_at: finished_at }),
  };
}
