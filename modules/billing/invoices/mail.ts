// The mail with an invoice that was sent (B-07), to those of the company who may see its bills.
import { DuplicateKey, sendMail, type Context } from '@keelson/core';
import { storeAttachment } from '@keelson/core/mail';
import { Company, readBillingPeople } from '@keelson/modules/directory';
import { InvoiceSentMail } from '../mail-templates.ts';
import { formatterOf } from '../money.ts';
import { Invoice } from './entities.ts';
import { invoicePdf } from './pdf.ts';

/** Makes the PDF outside of any transaction, and stores all mails in one. Delivered twice, it mails once. */
export async function mailInvoice(outside: Context, invoice_id: number): Promise<void> {
  const invoice = await outside.db.one(Invoice, { invoice_id });
  // It may be void by now.
  if (!invoice || !invoice.issued || invoice.status === 'void') return;
  const { people, company_name } = await recipientsOf(outside, invoice.company_number);
  if (people.length === 0) return outside.log.warn({ invoice_id }, 'billing: nobody to mail an invoice to');
  const { name, type, body } = await invoicePdf(outside, invoice);
  const bytes = await bytesOf(body);
  const { invoice_number, currency, total_minor, due_date } = invoice;
  const data = { invoice_number, company_name, total: formatterOf(currency)(total_minor), due_date };
  const attachment_id = `invoice-${invoice_id}`;
  await outside
    .transaction(async (ctx) => {
      await storeAttachment(ctx, { attachment_id, name, type, bytes });
      for (const to of people) sendMail(ctx, InvoiceSentMail, { to, data, attachment_id });
    })
    .catch((error: unknown) => {
      if (!(error instanceof DuplicateKey)) throw error;
    });
}

/** Those who may see bills; where there is none of them, the company's own address. */
async function recipientsOf(ctx: Context, company_number: number) {
  const company = await ctx.db.one(Company, { company_number, status: 'active', deleted_at: null });
  if (!company) return { people: [], company_name: '' };
  const { customer: company_name, email: address } = company;
  const people = (await readBillingPeople(ctx, company_number)).map((each) => ({
    name: each.name,
    address: each.address,
  }));
  return { people: people.length > 0 || address === '' ? people : [{ name: company_name, address }], company_name };
}

async function bytesOf(body: string | Buffer | AsyncIterable<Uint8Array | string>): Promise<Buffer> {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return Buffer.from(body);
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
