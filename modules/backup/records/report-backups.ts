// Backup reports: one from an integration, or many from an integration or a collector.
import { DuplicateKey, invalid, Problem, showOne, z, type Context, type OutOf } from '@keelson/core';
import { parse, safeParse, yieldToOthers } from '@keelson/core/kit';
import { PartAnswer, type CollectorPlace } from '@keelson/modules/discovery';
import { BackupRecord } from '../entities.ts';
import { checkBackup, CollectedBackup, ReportedBackup } from '../inputs.ts';
import { BackupItem } from './records.ts';
import { storeBackups, type Stored } from './store-records.ts';

/** The result of a report with many backups. */
export const ReportAnswer = PartAnswer;
export type ReportAnswer = z.output<typeof ReportAnswer>;

const MOST_TRIES = 3;
/** Backups per transaction. On SQLite a transaction blocks all others, so it must take only milliseconds. */
const BATCH = { sqlite: 50, mysql: 200 };

/**
 * Stores one reported backup; `added` is true if it was unknown. Opens its own transaction.
 * @throws invalid() naming the field
 */
export async function reportBackup(outside: Context, body: unknown) {
  const given = parse(ReportedBackup, body, 'Request body', outside.app.zone);
  checkBackup(outside, given);
  return inTurn(outside, async (ctx): Promise<{ row: OutOf<typeof BackupItem>; added: boolean }> => {
    const [stored] = await storeBackups(ctx, [given]);
    if (!stored || 'error' in stored) throw invalid(stored?.error ?? 'Nothing was reported');
    const { machine_id, record_key, outcome } = stored;
    const row = await ctx.db.findOneBy(BackupRecord, { machine_id, record_key });
    if (!row) throw new Error('A backup disappeared during a transaction');
    return { row: await showOne(ctx, BackupItem, row), added: outcome === 'created' };
  });
}

/** Stores many backups of any companies. An invalid one does not stop the others. */
export function reportBackups(outside: Context, list: readonly unknown[]): Promise<ReportAnswer> {
  return storeAll(outside, list, (each) => readOne(outside, ReportedBackup, each));
}

/** Stores many backups of a collector's company. */
export function collectBackups(
  outside: Context,
  { company_number }: CollectorPlace,
  list: readonly unknown[],
): Promise<ReportAnswer> {
  return storeAll(outside, list, (each) => ({ ...readOne(outside, CollectedBackup, each), company_number }));
}

async function storeAll(
  outside: Context,
  list: readonly unknown[],
  read: (each: unknown) => ReportedBackup,
): Promise<ReportAnswer> {
  const answer: ReportAnswer = { received: list.length, created: 0, updated: 0, unchanged: 0, errors: [] };
  const size = BATCH[outside.db.dialect];
  for (let from = 0; from < list.length; from += size) {
    const good: { readonly index: number; readonly given: ReportedBackup }[] = [];
    for (const [i, each] of list.slice(from, from + size).entries()) {
      const given = attempt(() => read(each));
      if ('error' in given) answer.errors.push({ index: from + i, error: given.error });
      else good.push({ index: from + i, given: given.value });
    }
    const stored = await inTurn(outside, (ctx) =>
      storeBackups(
        ctx,
        good.map(({ given }) => given),
      ),
    );
    for (const [i, each] of stored.entries()) tell(answer, good[i]?.index ?? 0, each);
    await yieldToOthers();
  }
  return answer;
}

function tell(answer: ReportAnswer, index: number, stored: Stored): void {
  if ('error' in stored) answer.errors.push({ index, error: stored.error });
  else answer[stored.outcome]++;
}

function readOne<S extends z.ZodType<Omit<ReportedBackup, 'company_number'>>>(ctx: Context, shape: S, value: unknown) {
  const parsed = safeParse(shape, value, 'Backup', ctx.app.zone);
  if ('errors' in parsed) throw invalid([...parsed.errors.values()].join('; '));
  checkBackup(ctx, parsed.value);
  return parsed.value;
}

function attempt<V>(work: () => V): { readonly value: V } | { readonly error: string } {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof Problem) return { error: error.message };
    throw error;
  }
}

/** Retries when a concurrent report adds the same machine; it is known on the next attempt. */
async function inTurn<R>(outside: Context, work: (ctx: Context) => Promise<R>): Promise<R> {
  for (let tries = 1; ; tries++) {
    try {
      return await outside.transaction(work);
    } catch (error) {
      if (!(error instanceof DuplicateKey) || tries === MOST_TRIES) throw error;
    }
  }
}
