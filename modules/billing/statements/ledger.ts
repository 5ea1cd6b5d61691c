// The ledger of company balances. Each movement also updates the company's balance and its month in the same
// transaction, so that statements are read, not computed. Months chain: each opens with the previous closing balance.
import { invalid, sql, toDatabase, type Context } from '@keelson/core';
import type { Invoice } from '../invoices/entities.ts';
import { BillingAccount, BillingMovement, Statement, type movementKinds } from './entities.ts';

export interface Movement {
  readonly kind: (typeof movementKinds)[number];
  readonly payment_id?: number;
  readonly credit_note_id?: number;
  /** Positive increases the company's balance, negative reduces it. */
  readonly amount_minor: number;
  readonly day: string;
}

type Place = Pick<Invoice, 'company_number' | 'currency'>;
/** The invoice, or the record that belongs to it. */
type Owed = Pick<Invoice, 'company_number' | 'currency' | 'invoice_id'>;

/** Adds a movement of an invoice to the ledger. @throws invalid() when the balance would no longer be exact */
export async function postMovement(ctx: Context, invoice: Owed, movement: Movement): Promise<void> {
  const { company_number, currency, invoice_id } = invoice;
  if (movement.amount_minor === 0) return;
  const place = { company_number, currency };
  await addToBalance(ctx, place, movement.amount_minor);
  await ctx.db.insert(BillingMovement, { ...place, ...movement, invoice_id, created_at: ctx.now });
  await addToMonth(ctx, place, movement);
}

/** Updates the balance. Also locks the account, so that a company's months are updated one at a time. */
async function addToBalance(ctx: Context, { company_number, currency }: Place, amount: number): Promise<void> {
  const add = ctx.db.dialect === 'mysql' ? sql`ON DUPLICATE KEY UPDATE` : sql`ON CONFLICT DO UPDATE SET`;
  await ctx.db.run(sql`INSERT INTO billing_account (company_number, currency, balance_minor)
    VALUES (${company_number}, ${currency}, ${amount}) ${add} balance_minor = billing_account.balance_minor + ${amount}`);
  const account = await ctx.db.findOneBy(BillingAccount, { company_number, currency });
  if (!account || !Number.isSafeInteger(account.balance_minor))
    throw invalid('The balance of the company would be too large');
}

async function addToMonth(ctx: Context, place: Place, { kind, amount_minor, day }: Movement): Promise<void> {
  const month = day.slice(0, 7);
  const { company_number, currency } = place;
  const now = toDatabase(ctx.now);
  await openMonth(ctx, place, month);
  const moved =
    kind === 'payment' || kind === 'refund'
      ? sql`payments_minor = payments_minor - ${amount_minor}`
      : sql`charges_minor = charges_minor + ${amount_minor}`;
  await ctx.db.run(sql`UPDATE billing_statement SET ${moved}, closing_minor = closing_minor + ${amount_minor},
    generated_at = ${now}
    WHERE company_number = ${company_number} AND currency = ${currency} AND month = ${month}`);
  // A backdated movement also shifts all later months.
  await ctx.db.run(sql`UPDATE billing_statement
    SET opening_minor = opening_minor + ${amount_minor}, closing_minor = closing_minor + ${amount_minor},
    generated_at = ${now} WHERE company_number = ${company_number} AND currency = ${currency} AND month > ${month}`);
}

/** Creates the month's row if it has no movements yet. */
async function openMonth(ctx: Context, place: Place, month: string): Promise<void> {
  const [last] = await ctx.db.query<{ month: string; closing_minor: unknown }>(sql`SELECT month, closing_minor
    FROM billing_statement WHERE company_number = ${place.company_number} AND currency = ${place.currency}
    AND month <= ${month} ORDER BY month DESC LIMIT 1`);
  if (last?.month === month) return;
  const before = Number(last?.closing_minor ?? 0);
  const none = { charges_minor: 0, payments_minor: 0 };
  await ctx.db.insert(Statement, {
    ...place,
    month,
    ...none,
    opening_minor: before,
    closing_minor: before,
    generated_at: ctx.now,
  });
}
