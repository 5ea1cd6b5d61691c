// The invoices of the demo's first customer: one in each status, with payments, and a draft from worked time.
import { dayOf, plus, type App } from '@keelson/core';
import type { Author } from '@keelson/core/log';
import { contextOf } from '@keelson/core/system';
import {
  createCreditNote,
  createDraftInvoice,
  InvoiceLine,
  createInvoiceFromTime,
  payInvoice,
  refundCredit,
  sendInvoice,
  updateInvoice,
} from '@keelson/modules/billing';
import type { Customer, Staff } from '../people.ts';

const hours = (description: string, quantity: number) => ({
  description,
  quantity_parts: quantity * 10_000,
  unit_price: '115',
});

export async function playBilling(app: App, { staff, customer }: { staff: Staff; customer: Customer }): Promise<void> {
  const { user_id, name } = staff.administrator;
  const author: Author = { type: 'technician', id: user_id, name };
  await contextOf({ app, actor: undefined, author }).transaction(async (ctx) => {
    const { company_number } = customer.company;
    const daysAgo = (days: number) => dayOf(plus(ctx.now, { days: -days }));
    const issued = async (days: number, lines: readonly ReturnType<typeof hours>[]) =>
      sendInvoice(
        ctx,
        await createDraftInvoice(ctx, { company_number, issue_date: daysAgo(days), tax_ppm: 82_500, lines }),
      );
    const paid = await issued(95, [hours('New wiring at reception', 12), hours('Patch panel', 1.5)]);
    await payInvoice(ctx, paid, {
      amount: paid.total_minor,
      method: 'ach',
      paid_at: daysAgo(70),
      reference: 'ACH 88231',
    });
    // The job will mark this one overdue.
    const late = await issued(45, [hours('Migration of the mailboxes', 8)]);
    await payInvoice(ctx, late, { amount: 400_000, method: 'check', paid_at: daysAgo(20) });
    await issued(12, [hours('Managed workplaces, on site', 4)]);
    const few = await issued(62, [hours('Training at the reception, per hour', 6), hours('Travel', 1)]);
    await payInvoice(ctx, few, {
      amount: few.total_minor,
      method: 'ach',
      paid_at: daysAgo(41),
      reference: 'ACH 88977',
    });
    const [training] = await ctx.db.find(InvoiceLine, {
      where: { invoice_id: few.invoice_id },
      order: { position: 'ASC' },
    });
    if (!training) throw new Error('The invoice has no lines');
    const credit = await createCreditNote(ctx, {
      invoice_id: few.invoice_id,
      lines: [{ line_item_id: training.line_item_id, quantity_parts: 20_000 }],
      reason: 'Two of the six hours of training were cancelled.',
      issue_date: daysAgo(38),
    });
    await refundCredit(ctx, credit, { amount: 124_500, method: 'ach', reference: 'ACH 89102', paid_at: daysAgo(33) });
    const wrong = await issued(30, [hours('Projector for the other practice', 1)]);
    await updateInvoice(ctx, wrong, { status: 'void' });
    const [from, to] = [daysAgo(365), daysAgo(0)];
    await createInvoiceFromTime(ctx, { company_number, from, to, hourly_rate: '115', tax_ppm: 82_500 });
  });
}
