// Mails a sent invoice (B-07) to those who may see the company's bills, or to recipients the sender chose.
import { DuplicateKey, IsNull, sendMail, type Context } from '@keelson/core';
import { storeAttachment } from '@keelson/core/mail';
import { Company, readBillingPeople, readPeople, type Recipient } from '@keelson/modules/directory';
import { InvoiceSentMail, InvoiceWithWordsMail } from '../mail-templates.ts';
import { formatterOf } from '../money.ts';
import { Invoice, InvoiceMail } from './entities.ts';
import { invoicePdf } from './pdf.ts';

/** Mails a sent invoice to its default recipients, unless the sender chose some (`mailAsked`). */
export async function mailInvoice(outside: Context, invoice_id: number): Promise<void> {
  const invoice = await outside.db.findOneBy(Invoice, { invoice_id });
  if (!invoice || (await outside.db.countBy(InvoiceMail, { invoice_id })) > 0) return;
  await mail(outside, invoice, {
    people: await usualRecipients(outside, invoice),
    attachment_id: `invoice-${invoice_id}`,
  });
}

/** Mails an invoice to the recipients, and with the message, that its sender chose. */
export async function mailAsked(outside: Context, mail_id: number): Promise<void> {
  const asked = await outside.db.findOneBy(InvoiceMail, { mail_id });
  const invoice = asked && (await outside.db.findOneBy(Invoice, { invoice_id: asked.invoice_id }));
  if (!invoice) return;
  const { employee_numbers, message } = asked;
  const chosen = await readPeople(outside, invoice.company_number, employee_numbers);
  const people = employee_numbers.length > 0 ? chosen : await usualRecipients(outside, invoice);
  await mail(outside, invoice, { people, message, attachment_id: `invoice-mail-${mail_id}` });
}

interface Mailing {
  readonly people: readonly Pick<Recipient, 'name' | 'address'>[];
  readonly message?: string;
  /** Deduplicates a repeated delivery. */
  readonly attachment_id: string;
}

/** Creates the PDF outside any transaction, then stores all mails in one. */
async function mail(outside: Context, invoice: Invoice, { people, message, attachment_id }: Mailing): Promise<void> {
  const { invoice_id, company_number, invoice_number, currency, total_minor, due_date } = invoice;
  // The invoice may have been voided meanwhile.
  if (!invoice.issued || invoice.status === 'void') return;
  const company = await outside.db.findOneBy(Company, { company_number, status: 'active', deleted_at: IsNull() });
  if (!company || people.length === 0) return outside.log.warn({ invoice_id }, 'billing: nobody to mail an invoice to');
  const { name, type, body } = await invoicePdf(outside, invoice);
  const bytes = await bytesOf(body);
  const data = { invoice_number, company_name: company.customer, total: formatterOf(currency)(total_minor), due_date };
  await outside
    .transaction(async (ctx) => {
      await storeAttachment(ctx, { attachment_id, name, type, bytes });
      for (const { name: recipient, address } of people) {
        const to = { name: recipient, address };
        if (message) sendMail(ctx, InvoiceWithWordsMail, { to, data: { ...data, message }, attachment_id });
        else sendMail(ctx, InvoiceSentMail, { to, data, attachment_id });
      }
    })
    .catch((error: unknown) => {
      if (!(error instanceof DuplicateKey)) throw error;
    });
}

/** Returns those who may see bills; without any, the company's own address. */
async function usualRecipients(ctx: Context, { company_number }: Invoice): Promise<Mailing['people']> {
  const people = await readBillingPeople(ctx, company_number);
  if (people.length > 0) return people;
  const company = await ctx.db.findOneBy(Company, { company_number, deleted_at: IsNull() });
  return company?.email ? [{ name: company.customer, address: company.email }] : [];
}

async function bytesOf(body: string | Buffer | AsyncIterable<Uint8Array | string>): Promise<Buffer> {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return Buffer.from(body);
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
