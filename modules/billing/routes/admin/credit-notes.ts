import {
  admin,
  administrators,
  all,
  created,
  file,
  findOr404,
  input,
  item,
  list,
  lock,
  pageOf,
  z,
  type Context,
} from '@keelson/core';
import { CreditableLine, CreditNoteDetail, readCreditable, readCreditNote } from '../../credits/credit-detail.ts';
import { CreditNoteItem, CreditNoteNoun } from '../../credits/credit-list.ts';
import { applyCredit, createCreditNote, CreditNotes, mailCredit, refundCredit } from '../../credits/credit-notes.ts';
import { creditNotePdf } from '../../credits/pdf.ts';
import { InvoiceNoun } from '../../invoices/invoice-list.ts';
import { MOST_LINES } from '../../invoices/lines.ts';
import { bodyObject, invoiceWords, lineObject, linesWords } from '../../line-words.ts';
import { moneyInput } from '../../money.ts';
import { paymentMethods } from '../../payments/entities.ts';
import { ReadBilling, WriteBilling } from '../../permissions.ts';

const path = '/billing/credit-notes.php';
const amount = input.optional(moneyInput.amount());
const byLines = 'is not supported: to credit part of the invoice, give line_items with quantities';
const byQuantity = 'is not supported: to credit part of a line, give its quantity';
const lines = z
  .array(
    lineObject({ line_item_id: input.id(), quantity: input.optional(moneyInput.quantity()) }, { amount: byQuantity }),
  )
  .min(1, 'must contain at least one line')
  .max(MOST_LINES, `must contain at most ${MOST_LINES} lines`)
  .transform((all) => all.map(({ line_item_id, quantity }) => ({ line_item_id, quantity_parts: quantity })));

export default [
  admin.get(path, {
    title: 'List credit notes',
    addition: true,
    access: ReadBilling,
    query: admin.paging(CreditNoteItem.query),
    returns: list(CreditNoteItem),
    handle: (ctx, { query }) => pageOf(ctx, CreditNoteItem, query),
  }),
  admin.post(path, {
    title: 'Credit an invoice',
    operationId: 'createBillingCreditNote',
    addition: true,
    access: administrators(WriteBilling),
    body: bodyObject(
      {
        invoice_id: input.id(),
        line_items: input.optional(lines),
        reason: input.longText(),
        issue_date: input.optional(input.day()),
        mail: input.optional(input.flag()),
      },
      {
        ...invoiceWords,
        ...linesWords,
        ...{ amount: byLines, total: byLines, subtotal: byLines, tax: byLines },
        currency: 'is not supported: a credit note has the currency of its invoice',
        tax_rate: 'is not supported: lines have the tax rates of the invoice',
        ...{ invoice_number: 'is not supported: use invoice_id', notes: 'is not supported: use reason' },
      },
    ),
    returns: created(CreditNoteDetail),
    async handle(ctx, { body: { line_items, mail = true, ...given } }) {
      const note = await createCreditNote(ctx, { ...given, lines: line_items });
      if (mail) await mailCredit(ctx, note, {});
      return readCreditNote(ctx, note);
    },
  }),
  admin.get('/billing/invoices.php?action=creditable&id={id}', {
    title: 'List what can be credited of an invoice',
    addition: true,
    access: ReadBilling,
    returns: all(CreditableLine),
    load: (ctx, { id }) => findOr404(ctx, InvoiceNoun, id),
    handle: (ctx, { item: invoice }) => readCreditable(ctx, invoice),
  }),
  admin.get(`${path}?id={id}`, {
    title: 'Read a credit note with its lines and uses',
    addition: true,
    access: ReadBilling,
    returns: item(CreditNoteDetail),
    load: (ctx, { id }) => findOr404(ctx, CreditNoteNoun, id),
    handle: (ctx, { item: note }) => readCreditNote(ctx, note),
  }),
  admin.get(`${path}?action=pdf&id={id}`, {
    title: 'Download any credit note as a PDF',
    addition: true,
    access: ReadBilling,
    returns: file('application/pdf'),
    load: (ctx, { id }) => findOr404(ctx, CreditNoteNoun, id),
    handle: (ctx, { item: note }) => creditNotePdf(ctx, note),
  }),
  admin.post(`${path}?action=apply&id={id}`, {
    title: 'Set credit against an invoice',
    addition: true,
    access: administrators(WriteBilling),
    body: z.object({ invoice_id: input.id(), amount }),
    returns: item(CreditNoteDetail),
    load: lockNote,
    handle: async (ctx, { item: note, body }) => readCreditNote(ctx, await applyCredit(ctx, note, body)),
  }),
  admin.post(`${path}?action=refund&id={id}`, {
    title: 'Record that credit was refunded',
    addition: true,
    access: administrators(WriteBilling),
    body: z.object({
      amount,
      method: input.optional(input.choice(paymentMethods)),
      reference: input.optionalText(255),
      paid_at: input.optional(input.day()),
    }),
    returns: item(CreditNoteDetail),
    load: lockNote,
    handle: async (ctx, { item: note, body }) => readCreditNote(ctx, await refundCredit(ctx, note, body)),
  }),
  admin.post(`${path}?action=send&id={id}`, {
    title: 'Send a credit note by mail',
    addition: true,
    access: administrators(WriteBilling),
    body: z.object({
      employee_numbers: input.optional(z.array(input.id()).max(100)),
      message: input.optionalLongText(),
    }),
    returns: item(CreditNoteDetail),
    load: lockNote,
    async handle(ctx, { item: note, body }) {
      await mailCredit(ctx, note, body);
      return readCreditNote(ctx, note);
    },
  }),
];

function lockNote(ctx: Context, { id }: { id: number }) {
  return lock(ctx, CreditNotes, id);
}
