// Mails an invoice to chosen recipients with a personal message, repeatedly if needed.
import { invalid, z, type Context } from '@keelson/core';
import { readBillingPeople, readPeople } from '@keelson/modules/directory';
import { InvoiceMailAsked } from '../events.ts';
import { Invoice, InvoiceMail } from './entities.ts';
import { sendInvoice } from './update.ts';

/** An employee of the company who can receive its invoices. `usual` marks the default recipients. */
export const InvoiceRecipient = z.object({
  employee_number: z.int(),
  name: z.string(),
  address: z.string(),
  usual: z.boolean(),
});

/** A preview of the mail to the first recipient. */
export const InvoiceMailPreview = z.object({
  /** Empty if there are no recipients. */
  recipient: z.string(),
  subject: z.string(),
  text: z.string(),
  /** The file name of the PDF. */
  attached: z.string(),
});

/** Returns the usual recipients, then others among the company's first 100 employees. */
export async function readRecipients(ctx: Context, { company_number }: Invoice) {
  const usual = await readBillingPeople(ctx, company_number);
  const numbers = new Set(usual.map((each) => each.employee_number));
  const others = (await readPeople(ctx, company_number)).filter((each) => !numbers.has(each.employee_number));
  return [...usual, ...others].map(({ employee_number, name, address }) => ({
    employee_number,
    name,
    address,
    usual: numbers.has(employee_number),
  }));
}

interface Wish {
  /** Employees of the company; defaults to the usual recipients. */
  readonly employee_numbers?: readonly number[] | undefined;
  readonly message?: string | undefined;
}

/**
 * Sends a draft, or mails a sent invoice again.
 * @throws invalid() for a void one, and for recipients outside the company
 */
export async function sendByMail(ctx: Context, invoice: Invoice, wish: Wish): Promise<Invoice> {
  const { invoice_id, invoice_number, company_number, status } = invoice;
  const { message = '' } = wish;
  const employee_numbers = [...new Set(wish.employee_numbers)];
  if (status === 'void') throw invalid('A void invoice cannot be sent');
  const found = await readPeople(ctx, company_number, employee_numbers);
  if (found.length < employee_numbers.length) throw invalid('employee_numbers must be active contacts of the company');
  const row = { invoice_id, employee_numbers, message, asked_by: ctx.author.name, created_at: ctx.now };
  ctx.emit(InvoiceMailAsked, { mail_id: await ctx.db.insertReturningId(InvoiceMail, row) });
  if (status === 'draft') return sendInvoice(ctx, invoice);
  const description = `Resent invoice ${invoice_number}`;
  const shownOn = { of: Invoice, row: invoice };
  ctx.record({ action: 'update', entity_type: Invoice.name, entity_id: invoice_id, description, shownOn });
  return invoice;
}
