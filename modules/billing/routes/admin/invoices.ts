import {
  admin,
  administrators,
  all,
  created,
  dayOf,
  file,
  findOr404,
  input,
  item,
  list,
  lock,
  pageOf,
  param,
  plus,
  today,
  z,
  type Context,
} from '@keelson/core';
import { findCompany } from '@keelson/modules/directory';
import { Contracts, ReadContracts } from '@keelson/modules/inventory';
import { checkSums, invoiceSums } from '../../given-sums.ts';
import { invoiceStatuses } from '../../invoices/entities.ts';
import { addTimeToInvoice, createInvoiceFromTime, OpenEntry, readOpenTime } from '../../invoices/from-time.ts';
import { HoursLeft, HoursOfPeriod, readContractHours, readHoursLeft } from '../../invoices/hours.ts';
import {
  changesOf,
  newInvoiceOf,
  optional,
  required,
  timeToAdd,
  timeToBill,
  timeToBillOf,
  workedOf,
} from '../../invoices/inputs.ts';
import { InvoiceDetail, readInvoice } from '../../invoices/invoice-detail.ts';
import { InvoiceItem } from '../../invoices/invoice-list.ts';
import { Invoices } from '../../invoices/invoices.ts';
import { previewInvoiceMail } from '../../invoices/mail.ts';
import { invoicePdf } from '../../invoices/pdf.ts';
import { InvoiceMailPreview, InvoiceRecipient, readRecipients, sendByMail } from '../../invoices/send.ts';
import { createInvoice, updateInvoice } from '../../invoices/update.ts';
import { bodyObject, changesObject, invoiceWords, linesWords, timeWords } from '../../line-words.ts';
import { ReadBilling, WriteBilling } from '../../permissions.ts';

const mailing = z.object({
  employee_numbers: input.optional(z.array(input.id()).max(100)),
  message: input.optionalLongText(),
});

const yearAgo = (ctx: Context) => dayOf(plus(ctx.now, { days: -366 }));

export default [
  admin.get('/billing/invoices.php', {
    title: 'List invoices',
    access: ReadBilling,
    query: admin.paging(InvoiceItem.query),
    returns: list(InvoiceItem),
    handle: (ctx, { query }) => pageOf(ctx, InvoiceItem, query),
  }),
  admin.post('/billing/invoices.php', {
    title: 'Create an invoice',
    access: administrators(WriteBilling),
    body: bodyObject(
      {
        ...required,
        ...optional,
        ...invoiceSums,
        invoice_number: input.optional(input.text(64, { compared: true })),
        status: input.optional(input.choice(['draft', 'sent'])),
      },
      { ...invoiceWords, ...linesWords, ...timeWords },
    ),
    returns: created(InvoiceDetail),
    async handle(ctx, { body }) {
      const invoice = await createInvoice(ctx, newInvoiceOf(body), body.status);
      checkSums(body, invoice);
      return readInvoice(ctx, invoice);
    },
  }),
  admin.post('/billing/invoices.php?action=from-time', {
    title: 'Bill worked time',
    operationId: 'createBillingInvoiceFromTime',
    addition: true,
    access: administrators(WriteBilling),
    body: timeToBill,
    returns: created(InvoiceDetail),
    handle: async (ctx, { body }) => readInvoice(ctx, await createInvoiceFromTime(ctx, timeToBillOf(body))),
  }),
  admin.get('/billing/open-time.php?company_number={id}', {
    title: 'List unbilled time',
    addition: true,
    access: ReadBilling,
    query: z.object({ from: param.day(), to: param.day() }),
    returns: all(OpenEntry),
    load: (ctx, { id }) => findCompany(ctx, id),
    handle: async (ctx, { item: { company_number }, query: { from = yearAgo(ctx), to = today(ctx) } }) =>
      (await readOpenTime(ctx, { company_number, from, to })).map((each) => OpenEntry.parse(each)),
  }),
  admin.get('/billing/included-hours.php?company_number={id}', {
    title: 'Read the remaining included hours of contracts',
    addition: true,
    access: ReadContracts,
    returns: all(HoursLeft),
    load: (ctx, { id }) => findCompany(ctx, id),
    handle: (ctx, { item: { company_number } }) => readHoursLeft(ctx, company_number),
  }),
  admin.get('/billing/contract-hours.php?contract_id={id}', {
    title: 'Read what was used of the hours that a contract includes',
    addition: true,
    access: ReadContracts,
    returns: all(HoursOfPeriod),
    load: (ctx, { id }) => findOr404(ctx, Contracts, id),
    handle: (ctx, { item: contract }) => readContractHours(ctx, contract),
  }),
  admin.post('/billing/invoices.php?action=add-time&id={id}', {
    title: 'Add worked time to a draft',
    addition: true,
    access: administrators(WriteBilling),
    body: timeToAdd,
    returns: item(InvoiceDetail),
    load: (ctx, { id }) => lock(ctx, Invoices, id),
    handle: async (ctx, { item: invoice, body }) =>
      readInvoice(ctx, await addTimeToInvoice(ctx, invoice, workedOf(body))),
  }),
  admin.get('/billing/invoices.php?action=recipients&id={id}', {
    title: 'List possible recipients of an invoice',
    addition: true,
    access: ReadBilling,
    returns: all(InvoiceRecipient),
    load: (ctx, { id }) => findOr404(ctx, Invoices, id),
    handle: (ctx, { item: invoice }) => readRecipients(ctx, invoice),
  }),
  admin.post('/billing/invoices.php?action=send&id={id}', {
    title: 'Send an invoice by mail',
    addition: true,
    access: administrators(WriteBilling),
    body: mailing,
    returns: item(InvoiceDetail),
    load: (ctx, { id }) => lock(ctx, Invoices, id),
    handle: async (ctx, { item: invoice, body }) => readInvoice(ctx, await sendByMail(ctx, invoice, body)),
  }),
  admin.post('/billing/invoices.php?action=preview-mail&id={id}', {
    title: 'Preview the mail of an invoice',
    addition: true,
    unlogged: true,
    access: administrators(WriteBilling),
    body: mailing,
    returns: item(InvoiceMailPreview),
    load: (ctx, { id }) => findOr404(ctx, Invoices, id),
    handle: (ctx, { item: invoice, body: { employee_numbers = [], message = '' } }) =>
      previewInvoiceMail(ctx, invoice, { employee_numbers, message }),
  }),
  admin.get('/billing/invoices.php?id={id}', {
    title: 'Read an invoice with its lines and payments',
    access: ReadBilling,
    returns: item(InvoiceDetail),
    load: (ctx, { id }) => findOr404(ctx, Invoices, id),
    handle: (ctx, { item: invoice }) => readInvoice(ctx, invoice),
  }),
  admin.get('/billing/invoices.php?action=pdf&id={id}', {
    title: 'Download any invoice as a PDF',
    addition: true,
    access: ReadBilling,
    returns: file('application/pdf'),
    load: (ctx, { id }) => findOr404(ctx, Invoices, id),
    handle: (ctx, { item: invoice }) => invoicePdf(ctx, invoice),
  }),
  admin.put('/billing/invoices.php?id={id}', {
    title: 'Update an invoice',
    access: administrators(WriteBilling),
    body: changesObject(
      { ...required, ...optional, ...invoiceSums, status: input.choice(invoiceStatuses) },
      { ...invoiceWords, ...linesWords, ...timeWords },
    ),
    returns: item(InvoiceDetail),
    load: (ctx, { id }) => lock(ctx, Invoices, id),
    async handle(ctx, { item: invoice, body: { subtotal, tax, total, ...body } }) {
      const changed = await updateInvoice(ctx, invoice, changesOf(body));
      checkSums({ subtotal, tax, total }, changed, invoice);
      return readInvoice(ctx, changed);
    },
  }),
];
