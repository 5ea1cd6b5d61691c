// Sequential numbers without gaps. The row of the next number stays locked until the document's transaction ends, and
// rolls back with it. Documents of one type are therefore created one at a time.
import { normalised, sql, type Context } from '@keelson/core';
import { BillingSequence } from './invoices/entities.ts';

/** Numbers checked per query, in case some were assigned by hand. */
const AT_ONCE = 100;

export interface NumberKind {
  /** The row of the sequence: `invoice`. */
  readonly name: string;
  /** `INV` yields INV-000001. */
  readonly prefix: string;
  /** Returns those of these normalised numbers that are in use. */
  readonly taken: (ctx: Context, keys: readonly string[]) => Promise<readonly string[]>;
}

/**
 * Takes the next number. Call it last, right before inserting the document: other requests wait from here until the
 * commit.
 */
export async function takeNumber(ctx: Context, { name, prefix, taken }: NumberKind): Promise<string> {
  const there = ctx.db.dialect === 'mysql' ? sql`ON DUPLICATE KEY UPDATE next = next` : sql`ON CONFLICT DO NOTHING`;
  await ctx.db.run(sql`INSERT INTO billing_sequence (name, next) VALUES (${name}, 1) ${there}`);
  const row = await ctx.db.findOne(BillingSequence, { where: { name }, lock: { mode: 'pessimistic_write' } });
  for (let first = row?.next ?? 1; ; first += AT_ONCE) {
    const numbers = Array.from({ length: AT_ONCE }, (_, i) => numberFor(prefix, first + i));
    const given = new Set(await taken(ctx, numbers.map(normalised)));
    const free = numbers.findIndex((each) => !given.has(normalised(each)));
    if (free < 0) continue;
    await ctx.db.update(BillingSequence, { name }, { next: first + free + 1 });
    return numberFor(prefix, first + free);
  }
}

const numberFor = (prefix: string, n: number) => `${prefix}-${String(n).padStart(6, '0')}`;
