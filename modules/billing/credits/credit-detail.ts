// A credit note with its lines and how it was used.
import { fromMinor, In, LessThan, showOne, z, type Context } from '@keelson/core';
import { Invoice } from '../invoices/entities.ts';
import { rateOf, readLines } from '../invoices/lines.ts';
import { fromParts, fromRate } from '../money.ts';
import { creditedTaxes, leftOf } from './amounts.ts';
import { CreditNoteItem } from './credit-list.ts';
import { CreditNote, CreditNoteLine, creditUses, CreditUse } from './entities.ts';

/** Maximum uses shown, oldest first. */
const MOST_USES = 1000;

const Line = z.object({
  line_item_id: z.int(),
  description: z.string(),
  quantity: z.number(),
  unit_price: z.number(),
  tax_rate: z.number(),
  amount: z.number(),
});
const Tax = z.object({ tax_rate: z.number(), subtotal: z.number(), tax: z.number() });
const Use = z.object({
  kind: z.enum(creditUses),
  invoice_id: z.int().nullable(),
  invoice_number: z.string(),
  amount: z.number(),
  day: z.iso.date(),
  method: z.string().nullable(),
  reference: z.string(),
});

export const CreditNoteDetail = CreditNoteItem.shape.extend({
  line_items: z.array(Line),
  taxes: z.array(Tax),
  uses: z.array(Use),
});

export async function readCreditNote(ctx: Context, note: CreditNote) {
  const { lines, taxes } = await readCredited(ctx, note);
  return {
    ...(await showOne(ctx, CreditNoteItem, note)),
    line_items: lines.map((each) => ({
      line_item_id: each.line_item_id,
      description: each.description,
      quantity: fromParts(each.quantity_parts),
      unit_price: Number(each.unit_price),
      tax_rate: fromRate(each.tax_ppm),
      amount: fromMinor(each.amount_minor),
    })),
    taxes: taxes.map(({ tax_ppm, subtotal_minor, tax_minor }) => ({
      tax_rate: fromRate(tax_ppm),
      subtotal: fromMinor(subtotal_minor),
      tax: fromMinor(tax_minor),
    })),
    uses: await readUses(ctx, note),
  };
}

/** Returns the lines of a credit note, and its tax for each rate. */
export async function readCredited(ctx: Context, { credit_note_id, invoice_id, currency }: CreditNote) {
  const order = { position: 'ASC' } as const;
  const lines = await ctx.db.find(CreditNoteLine, { where: { credit_note_id }, order });
  const earlier = { invoice_id, credit_note_id: LessThan(credit_note_id) };
  return { lines, taxes: creditedTaxes(currency, await ctx.db.findBy(CreditNoteLine, earlier), lines) };
}

async function readUses(ctx: Context, { credit_note_id }: CreditNote): Promise<z.infer<typeof Use>[]> {
  const order = { use_id: 'ASC' } as const;
  const uses = await ctx.db.find(CreditUse, { where: { credit_note_id }, order, take: MOST_USES });
  const invoice_id = In(uses.flatMap((each) => each.invoice_id ?? []));
  const numberOf = new Map(
    (await ctx.db.findBy(Invoice, { invoice_id })).map((each) => [each.invoice_id, each.invoice_number]),
  );
  return uses.map(({ kind, invoice_id: to, amount_minor, day, method, reference }) => ({
    kind,
    invoice_id: to,
    invoice_number: numberOf.get(to ?? 0) ?? '',
    amount: fromMinor(amount_minor),
    day,
    method,
    reference,
  }));
}

/** A line of an invoice as shown for selection. */
export const CreditableLine = Line.omit({ amount: true }).extend({ left_quantity: z.number() });

/** Returns the lines of an invoice with their creditable quantities. */
export async function readCreditable(ctx: Context, invoice: Invoice) {
  const { invoice_id } = invoice;
  const before = await ctx.db.findBy(CreditNoteLine, { invoice_id });
  return (await readLines(ctx, invoice_id)).map((each): z.infer<typeof CreditableLine> => ({
    line_item_id: each.line_item_id,
    description: each.description,
    quantity: fromParts(each.quantity_parts),
    unit_price: Number(each.unit_price),
    tax_rate: fromRate(rateOf(each, invoice)),
    left_quantity: fromParts(Math.abs(leftOf(each, before))),
  }));
}

/** A credit as shown on an invoice. */
export const InvoiceCredit = z.object({
  credit_note_id: z.int(),
  credit_note_number: z.string(),
  amount: z.number(),
  day: z.iso.date(),
});

/** Returns the credits applied to an invoice, oldest first. */
export async function readCreditsOf(ctx: Context, invoice_id: number): Promise<z.infer<typeof InvoiceCredit>[]> {
  const order = { use_id: 'ASC' } as const;
  const uses = await ctx.db.find(CreditUse, { where: { invoice_id }, order, take: MOST_USES });
  const notes = await ctx.db.findBy(CreditNote, { credit_note_id: In(uses.map((each) => each.credit_note_id)) });
  const numberOf = new Map(notes.map((each) => [each.credit_note_id, each.credit_note_number]));
  return uses.map(({ credit_note_id, amount_minor, day }) => ({
    credit_note_id,
    credit_note_number: numberOf.get(credit_note_id) ?? '',
    amount: fromMinor(amount_minor),
    day,
  }));
}
