// Mails a sent invoice (B-07) to those who may see the company's bills, or to recipients the sender chose.
import { DuplicateKey, IsNull, LessThanOrEqual, sendMail, type Context } from '@keelson/core';
import { previewMail, storeAttachment, type MailTemplate } from '@keelson/core/mail';
import type { FileAnswer, Spoken } from '@keelson/core/plugin';
import { Company, readBillingPeople, readPeople, type Recipient } from '@keelson/modules/directory';
import { InvoiceSentMail, InvoiceWithWordsMail } from '../mail-templates.ts';
import { Invoice, InvoiceMail } from './entities.ts';
import { invoicePdf } from './pdf.ts';

/**
 * Mails a sent invoice to its default recipients, unless the request that sent it chose some (`mailAsked`). Mails asked
 * for later are in addition.
 */
export async function mailInvoice(outside: Context, invoice_id: number): Promise<void> {
  const invoice = await outside.db.findOneBy(Invoice, { invoice_id });
  if (!invoice?.sent_at) return;
  if (await outside.db.existsBy(InvoiceMail, { invoice_id, created_at: LessThanOrEqual(invoice.sent_at) })) return;
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
  const people = await recipientsOf(outside, invoice.company_number, employee_numbers);
  await mail(outside, invoice, { people, message, attachment_id: `invoice-mail-${mail_id}` });
}

interface Mailing {
  readonly people: readonly Addressee[];
  readonly message?: string;
  /** Deduplicates a repeated delivery. */
  readonly attachment_id: string;
}

/** Mails the invoice, unless it was voided meanwhile. */
async function mail(outside: Context, invoice: Invoice, { message, ...mailing }: Mailing): Promise<void> {
  if (!invoice.issued || invoice.status === 'void') return;
  const facts = factsOf(invoice);
  const paper = { ...mailing, company_number: invoice.company_number, paper: () => invoicePdf(outside, invoice) };
  if (message) await mailPaper(outside, { ...paper, template: InvoiceWithWordsMail, data: { ...facts, message } });
  else await mailPaper(outside, { ...paper, template: InvoiceSentMail, data: facts });
}

function factsOf({ invoice_number, currency, total_minor, due_date }: Invoice) {
  return { invoice_number, total: { minor: total_minor, currency }, due_date: { day: due_date } };
}

/** Returns the mail to the first recipient, and the name of the attached file. Sends nothing. */
export async function previewInvoiceMail(
  ctx: Context,
  invoice: Invoice,
  { employee_numbers, message }: { readonly employee_numbers: readonly number[]; readonly message: string },
) {
  const company = await ctx.db.findOneBy(Company, { company_number: invoice.company_number });
  const company_name = company?.customer ?? '';
  const [first] = await recipientsOf(ctx, invoice.company_number, employee_numbers);
  const to = first ?? { name: company_name, address: '' };
  const data = { ...factsOf(invoice), company_name };
  const { subject, text } = message
    ? await previewMail(ctx, InvoiceWithWordsMail, { to, data: { ...data, message } })
    : await previewMail(ctx, InvoiceSentMail, { to, data });
  return { recipient: to.address, subject, text, attached: `${invoice.invoice_number}.pdf` };
}

type Addressee = Pick<Recipient, 'name' | 'address'>;

interface Paper<Variable extends string> {
  readonly company_number: number;
  readonly people: readonly Addressee[];
  /** Deduplicates a repeated delivery. */
  readonly attachment_id: string;
  readonly template: MailTemplate<Variable | 'company_name'>;
  readonly data: Readonly<Record<Variable, Spoken>>;
  readonly paper: () => Promise<FileAnswer>;
}

/** Creates the PDF outside any transaction, then stores all mails in one. */
export async function mailPaper<Variable extends string>(outside: Context, given: Paper<Variable>): Promise<void> {
  const { company_number, people, attachment_id, template } = given;
  const company = await outside.db.findOneBy(Company, { company_number, status: 'active', deleted_at: IsNull() });
  if (!company || people.length === 0) return outside.log.warn({ attachment_id }, 'billing: nobody to mail to');
  const { name, type, body } = await given.paper();
  const bytes = await bytesOf(body);
  const data = { ...given.data, company_name: company.customer };
  await outside
    .transaction(async (ctx) => {
      await storeAttachment(ctx, { attachment_id, name, type, bytes });
      for (const to of people) sendMail(ctx, template, { to, data, attachment_id });
    })
    .catch((error: unknown) => {
      if (!(error instanceof DuplicateKey)) throw error;
    });
}

/** Returns the chosen employees of the company; without any, those who may see its bills. */
export async function recipientsOf(
  ctx: Context,
  company_number: number,
  employee_numbers: readonly number[],
): Promise<readonly Addressee[]> {
  if (employee_numbers.length > 0) return readPeople(ctx, company_number, employee_numbers);
  return usualRecipients(ctx, { company_number });
}

/** Returns those who may see bills; without any, the company's own address. */
async function usualRecipients(
  ctx: Context,
  { company_number }: Pick<Invoice, 'company_number'>,
): Promise<readonly Addressee[]> {
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
