// Invariants of a company's billing that hold after any sequence of operations.
import type { Row } from '@keelson/core';
import {
  CreditNote,
  Invoice,
  InvoiceLine,
  Payment,
  Proposal,
  Subscription,
  SubscriptionPeriod,
} from '@keelson/modules/billing';
import { In } from 'typeorm';
import { CreditNoteLine, CreditUse } from '../../modules/billing/credits/entities.ts';
import { amountOf, priceOf, toParts, unitOf } from '../../modules/billing/money.ts';
import { ProposalLine } from '../../modules/billing/proposals/entities.ts';
import { BillingAccount, BillingMovement, Statement } from '../../modules/billing/statements/entities.ts';
import { periodAt, startOfPeriod } from '../../modules/billing/subscriptions/periods.ts';
import { nextBillingDate } from '../../modules/billing/subscriptions/subscriptions.ts';
import type { Database } from '../../packages/database/db.ts';

/** AVA counts every assertion, which would take longer than the sequences. */
export function same(actual: unknown, expected: unknown): void {
  if (actual !== expected) throw new Error(`${String(actual)} is not ${String(expected)}`);
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);

/** Lines, payments and balances match the ledger, statements chain, and each period that has started is billed once. */
export async function checkCompany(database: Database, company_number: number, today: string): Promise<void> {
  const invoices = await database.findBy(Invoice, { company_number });
  const invoice_id = invoices.map((each) => each.invoice_id);
  const lines = invoice_id.length === 0 ? [] : await database.findBy(InvoiceLine, { invoice_id: In(invoice_id) });
  await checkInvoices(database, company_number, { invoices, lines });
  await checkPeriods(database, company_number, { lines, today });
  await checkProposals(database, company_number);
}

interface Found {
  readonly invoices: readonly Invoice[];
  readonly lines: readonly InvoiceLine[];
}

async function checkInvoices(database: Database, company_number: number, { invoices, lines }: Found): Promise<void> {
  const linesOf = Map.groupBy(lines, (each) => each.invoice_id);
  const payments = Map.groupBy(await database.findBy(Payment, { company_number }), (each) => each.invoice_id);
  const movements = await database.findBy(BillingMovement, { company_number });
  const credits = await database.findBy(CreditNote, { company_number });
  const uses = await checkCredits(database, credits);
  for (const each of invoices) {
    same(sum((linesOf.get(each.invoice_id) ?? []).map((one) => one.amount_minor)), each.subtotal_minor);
    same(each.subtotal_minor + each.tax_minor, each.total_minor);
    same(sum((payments.get(each.invoice_id) ?? []).map((one) => one.amount_minor)), each.paid_minor);
    const settled = each.paid_minor + each.credited_minor;
    same(settled <= each.total_minor, true);
    same(each.status === 'paid', each.issued && settled === each.total_minor && each.status !== 'void');
    const its = credits.filter((one) => one.invoice_id === each.invoice_id);
    const credited = sum(its.map((one) => one.total_minor));
    same(0 - credited <= each.total_minor, true);
    same(
      sum(uses.filter((one) => one.invoice_id === each.invoice_id).map((one) => one.amount_minor)),
      each.credited_minor,
    );
    const refunded = sum(
      movements
        .filter((one) => one.kind === 'refund' && one.invoice_id === each.invoice_id)
        .map((one) => one.amount_minor),
    );
    const moved = movements.filter((one) => one.invoice_id === each.invoice_id);
    const owed = ['sent', 'overdue'].includes(each.status) ? each.total_minor - each.paid_minor : 0;
    const due = each.status === 'paid' ? each.total_minor - each.paid_minor : owed;
    same(sum(moved.map((one) => one.amount_minor)), due + credited + refunded);
  }
  const order = { month: 'ASC' } as const;
  const statements = await database.find(Statement, { where: { company_number }, order });
  for (const { currency, balance_minor } of await database.findBy(BillingAccount, { company_number })) {
    const ofCurrency = movements.filter((each) => each.currency === currency);
    same(sum(ofCurrency.map((each) => each.amount_minor)), balance_minor);
    const chain = statements.filter((each) => each.currency === currency);
    checkChain(chain, ofCurrency, balance_minor);
  }
}

/** Lines and taxes of credit notes add up, and no more is applied than was credited. Returns the amounts applied. */
async function checkCredits(database: Database, credits: readonly CreditNote[]): Promise<CreditUse[]> {
  if (credits.length === 0) return [];
  const credit_note_id = In(credits.map((each) => each.credit_note_id));
  const lines = await database.findBy(CreditNoteLine, { credit_note_id });
  const uses = await database.findBy(CreditUse, { credit_note_id });
  const amountsOf = (rows: readonly { readonly credit_note_id: number; readonly amount_minor: number }[], id: number) =>
    sum(rows.filter((one) => one.credit_note_id === id).map((one) => one.amount_minor));
  for (const each of credits) {
    same(amountsOf(lines, each.credit_note_id), each.subtotal_minor);
    same(each.subtotal_minor + each.tax_minor, each.total_minor);
    same(amountsOf(uses, each.credit_note_id), each.used_minor);
    same(each.used_minor <= 0 - each.total_minor, true);
  }
  return uses;
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
    const paid = ofMonth.filter(({ kind }) => kind === 'payment' || kind === 'refund');
    same(each.payments_minor, 0 - sum(paid.map((one) => one.amount_minor)));
    same(each.charges_minor, sum(ofMonth.filter((one) => !paid.includes(one)).map((one) => one.amount_minor)));
    opening += each.charges_minor - each.payments_minor;
    same(each.closing_minor, opening);
  }
  same(opening, balance);
}

interface Billed {
  readonly lines: readonly InvoiceLine[];
  readonly today: string;
}

async function checkPeriods(database: Database, company_number: number, { lines, today }: Billed): Promise<void> {
  const subscriptions = await database.findBy(Subscription, { company_number });
  if (subscriptions.length === 0) return;
  const subscription_id = subscriptions.map((each) => each.subscription_id);
  const all = Map.groupBy(
    await database.findBy(SubscriptionPeriod, { subscription_id: In(subscription_id) }),
    (one) => one.subscription_id,
  );
  const keyOf = (id: number | null, start: string | null) => `${id} ${start}`;
  const billed = lines.filter(({ source }) => source === 'subscription_period');
  const lineOf = new Map(billed.map((each) => [keyOf(each.source_id, each.period_start), each]));
  same(lineOf.size, billed.length);
  for (const each of subscriptions) {
    const periods = (all.get(each.subscription_id) ?? []).toSorted((a, b) =>
      a.period_start < b.period_start ? -1 : 1,
    );
    same(periods.length, each.periods_billed);
    for (const [n, { period_start, period_end, quantity, unit_price_minor, invoice_id }] of periods.entries()) {
      if (each.periods_skipped === 0) same(period_start, startOfPeriod(each, n));
      if (each.periods_skipped === 0) same(period_end, periodAt(each, n).period_end);
      // The line may have been removed from the draft.
      const line = lineOf.get(keyOf(each.subscription_id, period_start));
      if (!line) continue;
      same(line.invoice_id, invoice_id);
      const amount = amountOf(
        { quantity_parts: toParts(quantity), unit_price: priceOf(unit_price_minor) },
        unitOf(each.currency),
      );
      same(line.amount_minor, amount);
    }
    same(each.next_billing_date, nextBillingDate(each));
    // The jobs have run.
    if (each.next_billing_date !== null) same(each.next_billing_date > today, true);
    if (each.status === 'active' && each.end_date !== null) same(each.end_date >= today, true);
  }
}

async function checkProposals(database: Database, company_number: number): Promise<void> {
  const proposals = await database.findBy(Proposal, { company_number });
  if (proposals.length === 0) return;
  const proposal_id = proposals.map((each) => each.proposal_id);
  const lines = Map.groupBy(
    await database.findBy(ProposalLine, { proposal_id: In(proposal_id) }),
    (each) => each.proposal_id,
  );
  for (const each of proposals) {
    same(sum((lines.get(each.proposal_id) ?? []).map((one) => one.amount_minor)), each.total_minor);
    same(each.ticket_id !== null, each.status === 'accepted');
    same(each.responded_at !== null, ['accepted', 'rejected'].includes(each.status));
  }
}
