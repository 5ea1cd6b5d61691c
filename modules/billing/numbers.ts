// Running numbers without gaps: the row of the next one is locked until the document's transaction ends, and rolled back
// with it. So documents of one kind are made one after the other, which their number is worth.
import { normalised, sql, type Context } from '@keelson/core';
import { BillingSequence } from './invoices/entities.ts';

/** How many numbers are looked at together, when somebody has given some of them by hand. */
const AT_ONCE = 100;

export interface NumberKind {
  /** The row of the sequence: `invoice`. */
  readonly name: string;
  /** `INV` makes INV-000001. */
  readonly prefix: string;
  /** Those of these normalised numbers that are given already. */
  readonly taken: (ctx: Context, keys: readonly string[]) => Promise<readonly string[]>;
}

/** Takes the next number. Call it last, right before the document is stored: others wait from here until the commit. */
export async function takeNumber(ctx: Context, { name, prefix, taken }: NumberKind): Promise<string> {
  const there = ctx.db.dialect === 'mysql' ? sql`ON DUPLICATE KEY UPDATE next = next` : sql`ON CONFLICT DO NOTHING`;
  await ctx.db.run(sql`INSERT INTO billing_sequence (name, next) VALUES (${name}, 1) ${there}`);
  const row = await ctx.db.one(BillingSequence, { name }, { lock: true });
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
