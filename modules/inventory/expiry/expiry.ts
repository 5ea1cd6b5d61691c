// Warnings before contracts, licenses and domains end, sent once per mark and end date (MO-01).
import { Between, In, sql, today, type Context } from '@keelson/core';
import { InventoryExpiring } from '../events.ts';
import { ExpiryDays } from '../settings.ts';
import { ExpiryNotice, expiringKinds, type ExpiringKind } from './entities.ts';
import { dayAfter, daysBetween } from './status.ts';

interface Ending {
  readonly id: number;
  readonly name: string;
  readonly company_number: number;
  readonly ends: string;
}

const AT_ONCE = 250;

/** Sends the due warnings, skipping those already sent. */
export async function warnOfEnds(outside: Context<undefined>): Promise<void> {
  const marks = [...(await outside.app.settings.get(outside, ExpiryDays))].toSorted((a, b) => a - b);
  if (marks.length === 0) return;
  for (const kind of expiringKinds) await warnOfKind(outside, kind, marks);
}

async function warnOfKind(outside: Context<undefined>, kind: ExpiringKind, marks: readonly number[]): Promise<void> {
  const now = today(outside);
  const until = dayAfter(now, marks.at(-1) ?? 0);
  let after: Pick<Ending, 'ends' | 'id'> | undefined = { ends: now, id: 0 };
  while (after) {
    const found: Ending[] = await readEnding(outside, kind, after, until);
    if (found.length > 0) await outside.transaction((ctx) => warn(ctx, kind, found, marks));
    after = found.length < AT_ONCE ? undefined : found.at(-1);
  }
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
