// Steps of the ledger's random sequences: invoices, payments, proposals, purchases, subscriptions and jobs, any of
// which may crash.
import { plus, type Context, type EmployeeActor } from '@keelson/core';
import {
  billSubscriptions,
  createCreditNote,
  createProduct,
  CreditNote,
  createProposal,
  decideProposal,
  Invoice,
  InvoiceLine,
  Product,
  Proposal,
  purchase,
  refundCredit,
  sendProposal,
  Subscription,
  updateSubscription,
} from '@keelson/modules/billing';
import { createEmployee, Employee } from '@keelson/modules/directory';
import type { TestApp } from '@keelson/testing';
import { contextOf } from '../../core/plugin/context.ts';
import { applyCredit } from '../../modules/billing/credits/credit-notes.ts';
import { markOverdue } from '../../modules/billing/invoices/overdue.ts';
import { createInvoice, updateInvoice } from '../../modules/billing/invoices/update.ts';
import { priceOf } from '../../modules/billing/money.ts';
import { recordPayment } from '../../modules/billing/payments/payments.ts';
import { expireProposals } from '../../modules/billing/proposals/decide.ts';
import { changeInvoiceSettings } from '../../modules/billing/subscriptions/invoice-settings.ts';
import { fc } from '../_random.ts';

const line = fc.record({
  description: fc.constant('Work'),
  quantity_parts: fc.integer({ min: 1, max: 90_000 }),
  unit_price: fc.integer({ min: -5000, max: 999_999 }).map(priceOf),
  taxable: fc.boolean(),
  tax_ppm: fc.constantFrom(undefined, 0, 70_000, 190_000),
});
const terms = {
  lines: fc.array(line, { minLength: 1, maxLength: 4 }),
  tax_ppm: fc.constantFrom(0, 190_000, 88_750),
  issue_date: fc.constantFrom('2025-12-31', '2026-01-15', '2026-02-28', '2026-03-02', '2026-04-01'),
  currency: fc.constantFrom('USD', 'USD', 'JPY'),
};
const which = fc.nat({ max: 5 });
const kind = <K extends string>(name: K) => fc.constant(name);
const what = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: kind('create'), status: fc.constantFrom('draft', 'sent'), ...terms }) },
  fc.record({ kind: kind('edit'), which, lines: terms.lines, issue_date: terms.issue_date }),
  { weight: 2, arbitrary: fc.record({ kind: kind('send'), which }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: kind('pay'),
      which,
      /** Percentage of the balance; above 100 it is rejected. */
      share: fc.constantFrom(1, 30, 50, 100, 100, 120),
      paid_at: terms.issue_date,
    }),
  },
  fc.record({ kind: kind('settle'), which }),
  {
    weight: 2,
    arbitrary: fc.record({
      kind: kind('credit'),
      which,
      /** The quantity of the first line in ten-thousandths; undefined for the whole line. */
      quantity_parts: fc.option(fc.integer({ min: 1, max: 60_000 }), { nil: undefined }),
    }),
  },
  fc.record({ kind: kind('use'), which, to: which, amount: fc.option(fc.nat(500_000), { nil: undefined }) }),
  fc.record({ kind: kind('refund'), which, amount: fc.option(fc.nat(500_000), { nil: undefined }) }),
  fc.record({ kind: kind('void'), which }),
  // A correction voids the invoice and issues it again.
  fc.record({ kind: kind('correct'), which, lines: terms.lines }),
  fc.record({ kind: kind('propose'), lines: terms.lines, currency: terms.currency, sent: fc.boolean() }),
  fc.record({ kind: kind('decide'), which, action: fc.constantFrom('accept', 'reject') }),
  {
    weight: 2,
    arbitrary: fc.record({
      kind: kind('purchase'),
      price_minor: fc.nat(10_000).map((cents) => cents * 10),
      billing_cycle: fc.constantFrom('monthly', 'quarterly', 'annual'),
      currency: terms.currency,
      quantity: fc.integer({ min: 1, max: 50 }),
    }),
  },
  fc.record({ kind: kind('quantity'), which, quantity: fc.integer({ min: 1, max: 50 }) }),
  fc.record({ kind: kind('cancel'), which }),
  fc.record({ kind: kind('end'), which, days: fc.nat(90) }),
  fc.record({ kind: kind('settings'), status: fc.constantFrom('draft', 'sent'), tax_ppm: terms.tax_ppm }),
  { weight: 2, arbitrary: fc.record({ kind: kind('wait'), days: fc.integer({ min: 1, max: 70 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('run'), breaks: fc.nat(4) }) },
);
/** One in ten transactions is rolled back at its end, like a crash before the commit. */
const step = fc.record({ luck: fc.nat({ max: 9 }), what });
export type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
export const sequence = fc.array(step, { minLength: 3, maxLength: 12 });

export class Crash extends Error {}

/** The company under test. */
export interface World {
  readonly app: TestApp;
  readonly company_number: number;
}

/** Runs a step. @throws Crash for a simulated crash; Problem for a rejected operation */
export async function take(world: World, { what: wanted, luck }: Step): Promise<void> {
  const { app } = world;
  if (wanted.kind === 'wait') return app.clock.set(plus(app.clock.now(), { days: wanted.days }));
  if (wanted.kind === 'run') return runJobs(app, luck === 0 ? wanted.breaks : undefined);
  const ctx = wanted.kind === 'decide' ? await someEmployee(world) : app.app.system();
  await ctx.transaction(async (each: Context<any>) => {
    await write(each, wanted, world.company_number);
    if (luck === 0) throw new Crash();
  });
}

type Written = Exclude<Step['what'], { kind: 'wait' | 'run' }>;

async function write(ctx: Context<any>, wanted: Written, company_number: number): Promise<void> {
  if (wanted.kind === 'create') {
    const { lines, tax_ppm, issue_date, currency, status } = wanted;
    await createInvoice(ctx, { company_number, lines, tax_ppm, issue_date, currency }, status);
  } else if (wanted.kind === 'propose') {
    const proposal = await createProposal(ctx, { ...wanted, company_number, title: 'Offer' });
    if (wanted.sent) await sendProposal(ctx, proposal);
  } else if (wanted.kind === 'purchase') {
    const { price_minor, billing_cycle, currency, quantity } = wanted;
    const { product_id } = await createProduct(ctx, { name: 'Service', price_minor, billing_cycle, currency });
    await purchase(ctx, { product_id, company_number, quantity });
    await ctx.db.update(Product, { product_id }, { active: false });
  } else if (wanted.kind === 'settings') await changeInvoiceSettings(ctx, wanted);
  else if (wanted.kind === 'decide') {
    const proposals = await ctx.db.find(Proposal, {
      where: { company_number },
      order: { proposal_id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
    const proposal = chosen(proposals, wanted.which);
    if (proposal) await decideProposal(ctx, proposal, { action: wanted.action });
  } else if (wanted.kind === 'quantity' || wanted.kind === 'cancel' || wanted.kind === 'end')
    await changeSubscription(ctx, wanted, company_number);
  else if (wanted.kind === 'use' || wanted.kind === 'refund') await spendCredit(ctx, wanted, company_number);
  else await changeInvoice(ctx, wanted, company_number);
}

const chosen = <R>(rows: readonly R[], at: number): R | undefined => rows[at % Math.max(1, rows.length)];

async function changeSubscription(
  ctx: Context,
  wanted: Extract<Written, { kind: 'quantity' | 'cancel' | 'end' }>,
  company_number: number,
): Promise<void> {
  const order = { subscription_id: 'ASC' } as const;
  const rows = await ctx.db.find(Subscription, {
    where: { company_number },
    order,
    lock: { mode: 'pessimistic_write' },
  });
  const subscription = chosen(rows, wanted.which);
  if (!subscription) return;
  if (wanted.kind === 'quantity') await updateSubscription(ctx, subscription, { quantity: wanted.quantity });
  else if (wanted.kind === 'cancel') await updateSubscription(ctx, subscription, { status: 'cancelled' });
  else await updateSubscription(ctx, subscription, { end_date: plus(ctx.now, { days: wanted.days }).slice(0, 10) });
}

async function changeInvoice(
  ctx: Context,
  wanted: Extract<Written, { kind: 'edit' | 'send' | 'pay' | 'settle' | 'credit' | 'void' | 'correct' }>,
  company_number: number,
): Promise<void> {
  const order = { invoice_id: 'ASC' } as const;
  const invoice = chosen(
    await ctx.db.find(Invoice, { where: { company_number }, order, lock: { mode: 'pessimistic_write' } }),
    wanted.which,
  );
  if (!invoice) return;
  if (wanted.kind === 'edit') await updateInvoice(ctx, invoice, { lines: wanted.lines, issue_date: wanted.issue_date });
  else if (wanted.kind === 'send') await updateInvoice(ctx, invoice, { status: 'sent' });
  else if (wanted.kind === 'settle') await updateInvoice(ctx, invoice, { status: 'paid' });
  else if (wanted.kind === 'credit') {
    const { invoice_id } = invoice;
    const [line] = await ctx.db.find(InvoiceLine, { where: { invoice_id }, order: { position: 'ASC' }, take: 1 });
    const { quantity_parts } = wanted;
    const lines = quantity_parts && line && [{ line_item_id: line.line_item_id, quantity_parts }];
    await createCreditNote(ctx, {
      invoice_id,
      reason: 'Wrong',
      issue_date: invoice.issue_date,
      lines: lines || undefined,
    });
  } else if (wanted.kind === 'pay') {
    const amount = Math.round(((invoice.total_minor - invoice.paid_minor) * wanted.share) / 100);
    await recordPayment(ctx, { invoice_id: invoice.invoice_id, amount, paid_at: wanted.paid_at });
  } else {
    const voided = await updateInvoice(ctx, invoice, { status: 'void' });
    if (wanted.kind !== 'correct') return;
    const { currency, tax_ppm } = voided;
    await createInvoice(ctx, { company_number, lines: wanted.lines, currency, tax_ppm }, 'sent');
  }
}

async function spendCredit(
  ctx: Context,
  { kind: how, ...wanted }: { kind: 'use' | 'refund'; which: number; to?: number; amount: number | undefined },
  company_number: number,
): Promise<void> {
  const options = {
    where: { company_number },
    order: { credit_note_id: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  } as const;
  const note = chosen(await ctx.db.find(CreditNote, options), wanted.which);
  if (!note) return;
  const { amount } = wanted;
  if (how === 'refund') {
    await refundCredit(ctx, note, { amount, paid_at: note.issue_date });
    return;
  }
  const invoice = chosen(
    await ctx.db.find(Invoice, { where: { company_number }, order: { invoice_id: 'ASC' } }),
    wanted.to ?? 0,
  );
  if (invoice) await applyCredit(ctx, note, { invoice_id: invoice.invoice_id, amount });
}

/** Runs the billing jobs in order. With `breaks`, the transaction with this number is lost and the rest skipped. */
export async function runJobs({ app }: TestApp, breaks?: number): Promise<void> {
  const outside = breaks === undefined ? app.system() : dyingAfter(app.system(), breaks);
  try {
    await billSubscriptions(outside);
    await markOverdue(outside);
    await expireProposals(outside);
  } catch (error) {
    if (error instanceof AggregateError && error.errors.every((each) => each instanceof Crash)) throw new Crash();
    throw error;
  }
}

function dyingAfter(outside: Context<undefined>, commits: number): Context<undefined> {
  let left = commits;
  const transaction = <R>(work: (ctx: Context<undefined>) => Promise<R>): Promise<R> =>
    outside.transaction(async (ctx) => {
      if (left < 0) throw new Crash();
      const result = await work(ctx);
      if (left-- === 0) throw new Crash();
      return result;
    });
  return new Proxy(outside, {
    get: (target, key) => (key === 'transaction' ? transaction : Reflect.get(target, key)),
  });
}

async function someEmployee({ app, company_number }: World): Promise<Context<EmployeeActor>> {
  const email = `e${company_number}@ledger.example`;
  const employee =
    (await app.app.database.findOneBy(Employee, { company_number })) ??
    (await app.run((ctx) => createEmployee(ctx, { company_number, email, first_name: 'Erin', last_name: 'Example' })));
  const { employee_number } = employee;
  const actor = { employee_number, company_number } as EmployeeActor;
  return contextOf({ app: app.app, actor, author: { type: 'employee', id: employee_number, name: 'Erin Example' } });
}
