// Changes to existing invoices: editing drafts (M-16), sending, paying, voiding (M-14).
import { change, invalid, today, type Context, type Wanted } from '@keelson/core';
import { readCurrency } from '@keelson/core/plugin';
import { fromParts, fromRate } from '../money.ts';
import { payInvoice } from '../payments/payments.ts';
import { postMovement } from '../statements/ledger.ts';
import { createDraftInvoice, usualDueDate, type NewInvoice } from './create.ts';
import type { Invoice, InvoiceStatus } from './entities.ts';
import { balanceOf } from './invoice-list.ts';
import { Invoices } from './invoices.ts';
import {
  freeEntries,
  quantityProblem,
  rateOf,
  readLines,
  replaceLines,
  requireOnce,
  sumsOf,
  type NewLine,
  type StoredLine,
} from './lines.ts';

const draftOnly = ['company_number', 'issue_date', 'tax_ppm', 'currency'] as const;

export interface InvoiceUpdate extends Pick<
  Wanted<typeof Invoices>,
  (typeof draftOnly)[number] | 'due_date' | 'notes' | 'status'
> {
  /** Replaces all lines. A line that names an existing one keeps its source. */
  readonly lines?: readonly NewLine[] | undefined;
}

/** Changes an invoice that was locked in the same transaction. @throws invalid() for what its status does not allow */
export async function updateInvoice(
  ctx: Context,
  invoice: Invoice,
  { status, ...wanted }: InvoiceUpdate,
): Promise<Invoice> {
  const edited = await (invoice.status === 'draft' ? editDraft : editIssued)(ctx, invoice, wanted);
  return status === undefined || status === invoice.status || status === edited.status
    ? edited
    : moveTo(ctx, edited, status);
}

type Edits = Omit<InvoiceUpdate, 'status'>;

async function editDraft(ctx: Context, invoice: Invoice, { lines, ...wanted }: Edits): Promise<Invoice> {
  const { issue_date = invoice.issue_date, currency = invoice.currency, tax_ppm = invoice.tax_ppm } = wanted;
  const follows = wanted.due_date === undefined && invoice.due_date === usualDueDate(invoice.issue_date);
  const dated = { ...wanted, ...(follows && { due_date: usualDueDate(issue_date) }) };
  const moves = wanted.company_number !== undefined && wanted.company_number !== invoice.company_number;
  const recounts = lines !== undefined || moves || currency !== invoice.currency || tax_ppm !== invoice.tax_ppm;
  if (!recounts) return change(ctx, Invoices, invoice, dated);
  const before = await readLines(ctx, invoice.invoice_id);
  const after = lines === undefined ? before : lines.map((line, at) => withSource(line, at, { before, invoice }));
  requireOnce(after);
  if (moves && after.some(isOfCompany))
    throw invalid('company_number cannot be changed while the invoice has lines for worked time or subscriptions');
  const sums = sumsOf(after, { currency, tax_ppm });
  const home = currency === (await readCurrency(ctx));
  const differs = currency !== invoice.currency || !sameLines(before, after);
  if (!differs) return change(ctx, Invoices, invoice, { ...dated, ...sums });
  return change(
    ctx,
    Invoices,
    invoice,
    { ...dated, ...sums, home },
    {
      extra: sameLines(before, after) ? {} : { line_items: [before.map(asLogged), after.map(asLogged)] },
      store: (row) => replaceLines(ctx, row, after),
    },
  );
}

/** Returns true if a line bills what the company was given, which no other company owes. */
const isOfCompany = ({ source }: NewLine): boolean => source === 'entry' || source === 'subscription_period';

interface Stored {
  readonly before: readonly StoredLine[];
  readonly invoice: Invoice;
}

/**
 * Keeps the source of a line sent back with its id. A rate equal to the effective one does not become the line's own.
 * @throws invalid() for an id of no line of the invoice, and for a quantity of 0 or less that is not the stored one
 */
function withSource(line: NewLine, at: number, { before, invoice }: Stored): NewLine {
  const known = before.find(({ line_item_id }) => line_item_id === line.line_item_id);
  const { line_item_id, quantity_parts: parts } = line;
  if (!known) {
    if (line_item_id === undefined) return line;
    throw invalid(`line_items must be lines of ${invoice.invoice_number}`);
  }
  if (parts <= 0 && parts !== known.quantity_parts) throw invalid(quantityProblem(at));
  const { description, quantity_parts, unit_price, taxable = known.taxable } = line;
  const same = line.tax_ppm === undefined || line.tax_ppm === rateOf(known, invoice);
  return { ...known, description, quantity_parts, unit_price, taxable, tax_ppm: same ? known.tax_ppm : line.tax_ppm };
}

const asLogged = ({ line_item_id, description, quantity_parts, unit_price, taxable = true, tax_ppm }: NewLine) => ({
  line_item_id,
  description,
  quantity: fromParts(quantity_parts),
  unit_price: Number(unit_price),
  taxable,
  ...(tax_ppm !== undefined && tax_ppm !== null && { tax_rate: fromRate(tax_ppm) }),
});

const sameLines = (before: readonly NewLine[], after: readonly NewLine[]): boolean =>
  JSON.stringify(before.map(asLogged)) === JSON.stringify(after.map(asLogged));

/** Accepts unchanged values in a request; rejects changes to an issued invoice. */
async function editIssued(ctx: Context, invoice: Invoice, { lines, ...wanted }: Edits): Promise<Invoice> {
  const fixed = draftOnly.find((each) => wanted[each] !== undefined && wanted[each] !== invoice[each]);
  const name = fixed === 'tax_ppm' ? 'tax_rate' : fixed;
  if (name !== undefined) throw invalid(`${name} can only be changed in drafts`);
  if (lines !== undefined) {
    const stored = await readLines(ctx, invoice.invoice_id);
    const asked = lines.map((line, at) => withSource(line, at, { before: stored, invoice }));
    if (!sameLines(withoutIds(stored), withoutIds(asked))) throw invalid('line_items can only be changed in drafts');
  }
  const { due_date = invoice.due_date, notes } = wanted;
  const postponed = invoice.status === 'overdue' && due_date >= today(ctx);
  return change(ctx, Invoices, invoice, { due_date, notes, ...(postponed && { status: 'sent' }) });
}

const withoutIds = (lines: readonly NewLine[]) => lines.map((each) => ({ ...each, line_item_id: undefined }));

function moveTo(ctx: Context, invoice: Invoice, status: InvoiceStatus): Promise<Invoice> {
  if (status === 'overdue') throw invalid('status is set to overdue automatically after the due_date');
  if (status === 'sent' && invoice.status === 'draft') return sendInvoice(ctx, invoice);
  if (status === 'sent' && invoice.status === 'overdue') throw invalid('due_date must be today or later');
  const open = invoice.status === 'sent' || invoice.status === 'overdue';
  if (status === 'paid' && open) return payRest(ctx, invoice);
  if (status === 'void' && (open || invoice.status === 'draft')) return voidInvoice(ctx, invoice);
  throw invalid(`status cannot change from ${invoice.status} to ${status}`);
}

/** Issues a draft: the company owes it from its issue date. An invoice with total 0 is paid immediately. */
export async function sendInvoice(ctx: Context, invoice: Invoice): Promise<Invoice> {
  const { total_minor, issue_date } = invoice;
  const paid = total_minor === 0 && ({ status: 'paid', paid_at: ctx.now } as const);
  const sent = await change(ctx, Invoices, invoice, { status: 'sent', sent_at: ctx.now, ...paid });
  await postMovement(ctx, sent, { kind: 'invoice', amount_minor: total_minor, day: issue_date });
  return sent;
}

/** Creates an invoice and, depending on `status`, sends it. */
export async function createInvoice(ctx: Context, given: NewInvoice, status: 'draft' | 'sent' = 'draft') {
  const draft = await createDraftInvoice(ctx, given);
  return status === 'sent' ? sendInvoice(ctx, draft) : draft;
}

/** Records a payment of the remaining balance, so that the ledger stays consistent (M-15). */
async function payRest(ctx: Context, invoice: Invoice): Promise<Invoice> {
  return (await payInvoice(ctx, invoice, { amount: balanceOf(invoice), method: 'other' })).invoice;
}

async function voidInvoice(ctx: Context, invoice: Invoice): Promise<Invoice> {
  if (invoice.paid_minor !== 0) throw invalid('status cannot be void while there are payments');
  if (invoice.credited_minor !== 0) throw invalid('status may not become void when there are credit notes');
  const now = today(ctx);
  const voided = await change(ctx, Invoices, invoice, { status: 'void' });
  await freeEntries(ctx, invoice.invoice_id);
  if (invoice.status === 'draft') return voided;
  const day = invoice.issue_date > now ? invoice.issue_date : now;
  await postMovement(ctx, voided, { kind: 'void', amount_minor: -invoice.total_minor, day });
  return voided;
}
