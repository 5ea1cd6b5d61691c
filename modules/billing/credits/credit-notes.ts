// Credit notes: lower the amount owed for an issued invoice. An amount above its balance can be applied to other
// invoices of the company, or refunded.
import { change, create, eventData, invalid, record, today, type Context, type Day } from '@keelson/core';
import { readPeople } from '@keelson/modules/directory';
import { CreditNoteIssued, CreditNoteMailAsked } from '../events.ts';
import type { Invoice } from '../invoices/entities.ts';
import { balanceOf } from '../invoices/invoice-list.ts';
import { Invoices, isOwed } from '../invoices/invoices.ts';
import { readLines } from '../invoices/lines.ts';
import { checkAmount, formatterOf } from '../money.ts';
import { takeNumber } from '../numbers.ts';
import type { paymentMethods } from '../payments/entities.ts';
import { lockInvoice } from '../payments/payments.ts';
import { postMovement } from '../statements/ledger.ts';
import { creditedTaxes, creditLines, creditSums, type WantedLine } from './amounts.ts';
import { CreditNoteItem, CreditNoteNoun, openCredit } from './credit-list.ts';
import { CreditNote, CreditNoteLine, CreditUse } from './entities.ts';

export const CreditNotes = record(CreditNoteNoun, {
  call: ({ credit_note_number }) => credit_note_number,
  log: { created: ['invoice_id', 'total_minor', 'reason'] },
  async created(ctx, note) {
    ctx.emit(CreditNoteIssued, await eventData(ctx, CreditNoteItem, note));
  },
});

export interface NewCreditNote {
  readonly invoice_id: number;
  /** Defaults to everything that can still be credited. */
  readonly lines?: readonly WantedLine[] | undefined;
  readonly reason: string;
  /** Defaults to today. */
  readonly issue_date?: Day | undefined;
}

/**
 * Issues a credit note and applies it to the balance of its invoice, which is locked, so that concurrent credits never
 * exceed it.
 * @throws invalid() for a draft or a void invoice, or more than was invoiced
 */
export async function createCreditNote(ctx: Context, given: NewCreditNote): Promise<CreditNote> {
  const { reason, issue_date = today(ctx) } = given;
  const invoice = await lockInvoice(ctx, given.invoice_id);
  const { invoice_id, company_number, currency, status } = invoice;
  if (status === 'draft') throw invalid('invoice_id must be an invoice that was sent: a draft can be edited');
  if (status === 'void') throw invalid('invoice_id must be an invoice that is not void');
  if (issue_date < invoice.issue_date) throw invalid(`issue_date must not be before ${invoice.issue_date}`);
  const before = await ctx.db.find(CreditNoteLine, { where: { invoice_id } });
  const lines = creditLines(invoice, { lines: await readLines(ctx, invoice_id), before }, given.lines);
  const earlier = await ctx.db.find(CreditNote, { where: { invoice_id } });
  const credited = earlier.reduce((all, each) => all + each.total_minor, 0);
  const sums = creditSums(invoice, credited, creditedTaxes(currency, before, lines));
  const credit_note_number = await takeNumber(ctx, { name: 'credit_note', prefix: 'CN', taken: async () => [] });
  const row = { credit_note_number, invoice_id, company_number, currency, issue_date, reason, ...sums };
  const note = await create(ctx, CreditNotes, row, {
    async store({ credit_note_id }) {
      const stored = lines.map((each, position) => ({ ...each, credit_note_id, invoice_id, position }));
      await ctx.db.insert(CreditNoteLine, stored);
    },
  });
  const { credit_note_id, total_minor } = note;
  await postMovement(ctx, invoice, { kind: 'credit', credit_note_id, amount_minor: total_minor, day: issue_date });
  const amount = isOwed(invoice) ? Math.min(-total_minor, balanceOf(invoice)) : 0;
  return amount === 0 ? note : settle(ctx, note, { invoice, amount, day: issue_date });
}

export interface Settling {
  readonly invoice_id: number;
  /** In minor units; defaults to as much as possible. */
  readonly amount?: number | undefined;
}

/**
 * Applies remaining credit of a locked note to another invoice of its company.
 * @throws invalid()
 */
export async function applyCredit(ctx: Context, note: CreditNote, given: Settling): Promise<CreditNote> {
  const invoice = await lockInvoice(ctx, given.invoice_id);
  // The same error as for a missing invoice.
  if (invoice.company_number !== note.company_number) throw invalid('invoice_id must be an existing invoice');
  if (invoice.currency !== note.currency) throw invalid(`invoice_id must be an invoice in ${note.currency}`);
  if (!isOwed(invoice)) throw invalid(`invoice_id must be a sent or overdue invoice; this one is ${invoice.status}`);
  const balance = balanceOf(invoice);
  const { amount = Math.min(openCredit(note), balance) } = given;
  checkOpen(note, amount);
  if (amount > balance)
    throw invalid(`amount must be at most ${formatterOf(note.currency)(balance)}, which is left to pay`);
  return settle(ctx, note, { invoice, amount, day: today(ctx) });
}

export interface Refund {
  /** In minor units; defaults to the remaining credit. */
  readonly amount?: number | undefined;
  readonly method?: (typeof paymentMethods)[number] | undefined;
  readonly reference?: string | undefined;
  /** Defaults to today. */
  readonly paid_at?: Day | undefined;
}

/**
 * Records a refund of remaining credit of a locked note.
 * @throws invalid() for more than remains
 */
export async function refundCredit(ctx: Context, note: CreditNote, given: Refund): Promise<CreditNote> {
  const { amount = openCredit(note), method = 'other', reference = '', paid_at: day = today(ctx) } = given;
  checkOpen(note, amount);
  if (day < note.issue_date) throw invalid(`paid_at must not be before ${note.issue_date}`);
  const { credit_note_id } = note;
  const refund = { credit_note_id, kind: 'refund', amount_minor: amount, day, method, reference } as const;
  await ctx.db.insert(CreditUse, { ...refund, created_at: ctx.now });
  await postMovement(ctx, note, { kind: 'refund', credit_note_id, amount_minor: amount, day });
  return change(ctx, CreditNotes, note, { used_minor: note.used_minor + amount });
}

function checkOpen(note: CreditNote, amount: number): void {
  const open = openCredit(note);
  if (open === 0) throw invalid(`${note.credit_note_number} has no credit left`);
  if (amount <= 0) throw invalid('amount must be above 0');
  if (amount > open)
    throw invalid(`amount must be at most ${formatterOf(note.currency)(open)}, which is left of the credit`);
  checkAmount('amount', amount, note.currency);
}

/** An invoice with nothing left to pay is paid. */
async function settle(
  ctx: Context,
  note: CreditNote,
  { invoice, amount, day }: { readonly invoice: Invoice; readonly amount: number; readonly day: Day },
): Promise<CreditNote> {
  const { invoice_id } = invoice;
  const use = { credit_note_id: note.credit_note_id, kind: 'invoice', invoice_id, amount_minor: amount, day } as const;
  await ctx.db.insert(CreditUse, { ...use, created_at: ctx.now });
  const settled = amount === balanceOf(invoice) && ({ status: 'paid', paid_at: ctx.now } as const);
  await change(ctx, Invoices, invoice, { credited_minor: invoice.credited_minor + amount, ...settled });
  return change(ctx, CreditNotes, note, { used_minor: note.used_minor + amount });
}

export interface CreditMailing {
  /** Employees of the company; defaults to those who can view billing. */
  readonly employee_numbers?: readonly number[] | undefined;
  /** Replaces the reason in the mail. */
  readonly message?: string | undefined;
}

/** Mails a credit note, with its PDF. @throws invalid() for recipients outside the company */
export async function mailCredit(ctx: Context, note: CreditNote, wish: CreditMailing): Promise<void> {
  const { credit_note_id, credit_note_number, company_number } = note;
  const employee_numbers = [...new Set(wish.employee_numbers)];
  const found = await readPeople(ctx, company_number, employee_numbers);
  if (found.length < employee_numbers.length) throw invalid('employee_numbers must be active contacts of the company');
  ctx.emit(CreditNoteMailAsked, { credit_note_id, employee_numbers, message: wish.message ?? '' });
  const description = `Mailed credit note ${credit_note_number}`;
  const shownOn = { of: CreditNote, row: note };
  ctx.record({ action: 'update', entity_type: CreditNote.name, entity_id: credit_note_id, description, shownOn });
}
