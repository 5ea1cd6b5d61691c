// Marks unpaid invoices as overdue, after midnight in the tenant's time zone.
import { changeAll, LessThan, today, type Context } from '@keelson/core';
import { Invoice } from './entities.ts';
import { Invoices } from './invoices.ts';

const AT_ONCE = 100;

/**
 * Marks overdue invoices in batches, one transaction each. With several processes, each invoice is still marked once.
 */
export async function markOverdue(outside: Context<undefined>): Promise<void> {
  while (await outside.transaction(markPortion));
}

/** Returns true if there may be more. */
async function markPortion(ctx: Context): Promise<boolean> {
  const late = { status: 'sent', due_date: LessThan(today(ctx)) } as const;
  const invoices = await ctx.db.find(Invoice, {
    where: late,
    order: { due_date: 'ASC' },
    take: AT_ONCE,
    lock: { mode: 'pessimistic_write' },
  });
  await changeAll(ctx, Invoices, invoices, { status: 'overdue' });
  return invoices.length === AT_ONCE;
}
