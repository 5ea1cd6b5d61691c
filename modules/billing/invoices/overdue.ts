// Marks unpaid invoices as overdue, after midnight in the tenant's time zone.
import { changeAll, In, LessThan, lockAll, Not, today, type Context } from '@keelson/core';
import { batchesApart } from '@keelson/core/kit';
import { Invoice } from './entities.ts';
import { Invoices } from './invoices.ts';

const AT_ONCE = 100;

/**
 * Marks overdue invoices in batches, one transaction each. With several processes, each invoice is still marked once.
 * @throws AggregateError naming the invoices that failed, once the others are done
 */
export async function markOverdue(outside: Context<undefined>): Promise<void> {
  const late = { status: 'sent', due_date: LessThan(today(outside)) } as const;
  await batchesApart<Invoice>({
    size: AT_ONCE,
    read: (failed) =>
      outside.db.find(Invoice, {
        where: { ...late, invoice_id: Not(In(failed.map((each) => each.invoice_id))) },
        order: { due_date: 'ASC' },
        take: AT_ONCE,
      }),
    nameOf: ({ invoice_number }) => `invoice ${invoice_number}`,
    work: (invoices) => outside.transaction((ctx) => markAll(ctx, invoices)),
  });
}

async function markAll(ctx: Context, invoices: readonly Invoice[]): Promise<void> {
  const ids = invoices.map((each) => each.invoice_id);
  // They may have been paid, or their due date moved, before they were locked.
  const late = (await lockAll(ctx, Invoices, ids)).filter(
    ({ status, due_date }) => status === 'sent' && due_date < today(ctx),
  );
  await changeAll(ctx, Invoices, late, { status: 'overdue' });
}
