// Warnings before contracts, licenses and domains end, sent once per mark and end date (MO-01).
import { addDays, Between, In, sql, today, type Context } from '@keelson/core';
import { batchesApart, eachApart } from '@keelson/core/kit';
import { InventoryExpiring } from '../events.ts';
import { ExpiryDays } from '../settings.ts';
import { ExpiryNotice, expiringKinds, type ExpiringKind } from './entities.ts';
import { daysBetween } from './status.ts';

interface Ending {
  readonly id: number;
  readonly name: string;
  readonly company_number: number;
  readonly ends: string;
}

const AT_ONCE = 250;

/**
 * Sends the due warnings, skipping those already sent.
 * @throws AggregateError naming the records that failed, once the others are done
 */
export async function warnOfEnds(outside: Context<undefined>): Promise<void> {
  const marks = [...(await outside.app.settings.get(outside, ExpiryDays))].toSorted((a, b) => a - b);
  if (marks.length === 0) return;
  await eachApart(
    expiringKinds,
    (kind) => `${kind}s`,
    (kind) => warnOfKind(outside, kind, marks),
  );
}

async function warnOfKind(outside: Context<undefined>, kind: ExpiringKind, marks: readonly number[]): Promise<void> {
  const now = today(outside);
  const until = addDays(now, marks.at(-1) ?? 0);
  let after: Pick<Ending, 'ends' | 'id'> = { ends: now, id: 0 };
  await batchesApart<Ending>({
    size: AT_ONCE,
    async read() {
      const found = await readEnding(outside, kind, after, until);
      after = found.at(-1) ?? after;
      return found;
    },
    nameOf: ({ id }) => `${kind} ${id}`,
    work: (found) => outside.transaction((ctx) => warn(ctx, kind, found, marks)),
  });
}

/** Returns the next records ending by `until`, ordered by end date. */
function readEnding(ctx: Context, kind: ExpiringKind, after: Pick<Ending, 'ends' | 'id'>, until: string) {
  const [table, id, name, ends] = columnsOf[kind];
  return ctx.db.query<Ending>(sql`SELECT ${id} AS id, ${name} AS name, company_number, ${ends} AS ends FROM ${table}
    WHERE ${ends} BETWEEN ${after.ends} AND ${until} AND (${ends} > ${after.ends} OR ${id} > ${after.id})
      AND deleted_at IS NULL
    ORDER BY ${ends}, ${id} LIMIT ${AT_ONCE}`);
}

const columnsOf = {
  contract: [sql`contract`, sql`contract_id`, sql`name`, sql`due_on`],
  license: [sql`license`, sql`license_id`, sql`name`, sql`expires_at`],
  domain: [sql`domain`, sql`domain_id`, sql`domain_name`, sql`expires_at`],
} as const;

async function warn(ctx: Context, kind: ExpiringKind, found: readonly Ending[], marks: readonly number[]) {
  const record_id = found.map((each) => each.id);
  const expires_on = Between(found[0]?.ends ?? '', found.at(-1)?.ends ?? '');
  const told = await ctx.db.findBy(ExpiryNotice, { kind, record_id: In(record_id), expires_on });
  const keys = new Set(told.map((each) => `${each.record_id} ${each.expires_on} ${each.mark}`));
  const due = found.flatMap(({ id, name, company_number, ends }) => {
    const days_left = daysBetween(today(ctx), ends);
    const mark = marks.find((each) => days_left <= each);
    if (mark === undefined || keys.has(`${id} ${ends} ${mark}`)) return [];
    return [{ kind, id, name, company_number, expires_on: ends, days_left, mark }];
  });
  await ctx.db.insert(
    ExpiryNotice,
    due.map(({ id, expires_on: end, mark }) => ({ kind, record_id: id, expires_on: end, mark, told_at: ctx.now })),
  );
  for (const each of due) ctx.emit(InventoryExpiring, each);
}
