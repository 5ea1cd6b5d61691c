// Random sequences of what is done with invoices, with crashes in between: the sums of lines, payments and balances agree
// with the ledger, statements chain, numbers have no gap. BILLING_SEQUENCES says how many; 100,000 take an hour.
import { openApp, testClock } from '@keelson/core/testing';
import { Invoice, InvoiceLine, Payment } from '@keelson/modules/billing';
import { sql, type Context, type Row } from '@keelson/core';
import test from 'ava';
import { createInvoice, updateInvoice } from '../../modules/billing/invoices/update.ts';
import { recordPayment } from '../../modules/billing/payments/payments.ts';
import { BillingAccount, BillingMovement, Statement } from '../../modules/billing/statements/entities.ts';
import { seedCompany } from '../accounts-seed.ts';
import { fc, sample } from '../_random.ts';

const sequences = Number(process.env['BILLING_SEQUENCES'] ?? 60);
const BATCH = 20;

const line = fc.record({
  description: fc.constant('Work'),
  quantity_parts: fc.integer({ min: 1, max: 90_000 }),
  unit_price_minor: fc.integer({ min: -500, max: 99_999 }),
  taxable: fc.boolean(),
});
const terms = {
  lines: fc.array(line, { minLength: 1, maxLength: 4 }),
  tax_ppm: fc.constantFrom(0, 190_000, 88_750),
  issue_date: fc.constantFrom('2025-12-31', '2026-01-15', '2026-02-28', '2026-03-02', '2026-04-01'),
  currency: fc.constantFrom('USD', 'USD', 'JPY'),
};
const which = fc.nat({ max: 5 });
const step = fc.record({
  /** One in ten is rolled back at its end, as a crash before the commit does. */
  luck: fc.nat({ max: 9 }),
  what: fc.oneof(
    fc.record({
      kind: fc.constant('create' as const),
      status: fc.constantFrom('draft' as const, 'sent' as const),
      ...terms,
    }),
    fc.record({ kind: fc.constant('edit' as const), which, lines: terms.lines, issue_date: terms.issue_date }),
    fc.record({ kind: fc.constant('send' as const), which }),
    fc.record({
      kind: fc.constant('pay' as const),
      which,
      /** Of the balance, in per cent; above 100 it is refused. */
      share: fc.constantFrom(1, 30, 50, 100, 100, 120),
      paid_at: terms.issue_date,
    }),
    fc.record({ kind: fc.constant('settle' as const), which }),
    fc.record({ kind: fc.constant('void' as const), which }),
    // What is corrected is voided and issued again.
    fc.record({ kind: fc.constant('correct' as const), which, lines: terms.lines }),
  ),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
const sequence = fc.array(step, { minLength: 3, maxLength: 9 });

class Crash extends Error {}

async function take(ctx: Context, { what }: Step, company_number: number): Promise<void> {
  if (what.kind === 'create') {
    const { lines, tax_ppm, issue_date, currency, status } = what;
    await createInvoice(ctx, { company_number, lines, tax_ppm, issue_date, currency }, status);
    return;
  }
  const order = [['invoice_id', 'ASC']] as const;
  const invoices = await ctx.db.find(Invoice, { company_number }, { order, lock: true });
  const invoice = invoices[what.which % Math.max(1, invoices.length)];
  if (!invoice) return;
  if (what.kind === 'edit') await updateInvoice(ctx, invoice, { lines: what.lines, issue_date: what.issue_date });
  else if (what.kind === 'send') await updateInvoice(ctx, invoice, { status: 'sent' });
  else if (what.kind === 'settle') await updateInvoice(ctx, invoice, { status: 'paid' });
  else if (what.kind === 'pay') {
    const amount = Math.round(((invoice.total_minor - invoice.paid_minor) * what.share) / 100);
    await recordPayment(ctx, { invoice_id: invoice.invoice_id, amount, paid_at: what.paid_at });
  } else {
    const voided = await updateInvoice(ctx, invoice, { status: 'void' });
    if (what.kind !== 'correct') return;
    const { currency, tax_ppm } = voided;
    await createInvoice(ctx, { company_number, lines: what.lines, currency, tax_ppm }, 'sent');
  }
}

/** Assertions of ava are counted one by one, which takes longer than the sequences. */
function same(actual: unknown, expected: unknown): void {
  if (actual !== expected) throw new Error(`${String(actual)} is not ${String(expected)}`);
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);

test.serial('whatever is done with invoices, the ledger agrees with them', async (t) => {
  const app = await openApp({ clock: testClock() });
  t.teardown(() => app.close());
  const { database } = app.app;
  const done = { taken: 0, refused: 0, crashed: 0 };

  async function run(steps: readonly Step[]): Promise<number> {
    const { company_number } = await seedCompany(app);
    for (const each of steps) {
      try {
        await app.run(async (ctx) => {
          await take(ctx, each, company_number);
          if (each.luck === 0) throw new Crash();
        });
        done.taken++;
      } catch (error) {
        if (error instanceof Crash) done.crashed++;
        else if (error instanceof Error && 'kind' in error && error.kind === 'invalid') done.refused++;
        else throw error;
      }
    }
    return company_number;
  }

  async function check(company_number: number): Promise<void> {
    const invoices = await database.find(Invoice, { company_number });
    const invoice_id = invoices.map((each) => each.invoice_id);
    if (invoice_id.length === 0) return;
    const lines = Map.groupBy(await database.find(InvoiceLine, { invoice_id }), (each) => each.invoice_id);
    const payments = Map.groupBy(await database.find(Payment, { company_number }), (each) => each.invoice_id);
    const movements = await database.find(BillingMovement, { company_number });
    for (const each of invoices) {
      same(sum((lines.get(each.invoice_id) ?? []).map((one) => one.amount_minor)), each.subtotal_minor);
      same(each.subtotal_minor + each.tax_minor, each.total_minor);
      same(sum((payments.get(each.invoice_id) ?? []).map((one) => one.amount_minor)), each.paid_minor);
      same(each.paid_minor <= each.total_minor, true);
      same(each.status === 'paid', each.issued && each.paid_minor === each.total_minor && each.status !== 'void');
      const moved = movements.filter((one) => one.invoice_id === each.invoice_id);
      const owed = ['sent', 'overdue'].includes(each.status) ? each.total_minor - each.paid_minor : 0;
      same(sum(moved.map((one) => one.amount_minor)), owed);
    }
    const order = [['month', 'ASC']] as const;
    const statements = await database.find(Statement, { company_number }, { order });
    for (const { currency, balance_minor } of await database.find(BillingAccount, { company_number })) {
      const ofCurrency = movements.filter((each) => each.currency === currency);
      same(sum(ofCurrency.map((each) => each.amount_minor)), balance_minor);
      checkChain(
        statements.filter((each) => each.currency === currency),
        ofCurrency,
        balance_minor,
      );
    }
  }

  function checkChain(
    chain: readonly Row<typeof Statement>[],
    movements: readonly Row<typeof BillingMovement>[],
    balance: number,
  ): void {
    let opening = 0;
    for (const each of chain) {
      same(each.opening_minor, opening);
      const ofMonth = movements.filter(({ day }) => day.startsWith(each.month));
      const paid = ofMonth.filter(({ kind }) => kind === 'payment');
      same(each.payments_minor, 0 - sum(paid.map((one) => one.amount_minor)));
      same(each.charges_minor, sum(ofMonth.filter((one) => !paid.includes(one)).map((one) => one.amount_minor)));
      opening += each.charges_minor - each.payments_minor;
      same(each.closing_minor, opening);
    }
    same(opening, balance);
  }

  for (let from = 0; from < sequences; from += BATCH) {
    const count = Math.min(BATCH, sequences - from);
    for (const steps of sample(sequence, { count, batch: from })) await check(await run(steps));
    if (from % 5000 === 0) t.log(`${from + count} sequences`, done);
  }
  const [numbers] = await database.query<{ n: unknown; last: unknown; different: unknown }>(
    sql`SELECT COUNT(*) AS n, COUNT(DISTINCT number_key) AS different, MAX(invoice_number) AS last FROM invoice`,
  );
  t.is(Number(numbers?.n), Number(numbers?.different));
  t.is(String(numbers?.last), `INV-${String(numbers?.n).padStart(6, '0')}`, 'no number is missing');
  t.true(done.crashed > 0 && done.refused > 0);
  t.log(`${sequences} sequences`, done);
});
