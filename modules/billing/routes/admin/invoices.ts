import { admin, administrators, created, file, findOr404, input, item, list, lock, pageOf, z } from '@keelson/core';
import { invoiceStatuses } from '../../invoices/entities.ts';
import { createInvoiceFromTime } from '../../invoices/from-time.ts';
import { InvoiceDetail, readInvoice } from '../../invoices/invoice-detail.ts';
import { InvoiceItem } from '../../invoices/invoice-list.ts';
import { invoicePdf } from '../../invoices/pdf.ts';
import { Invoices } from '../../invoices/invoices.ts';
import { createInvoice, updateInvoice } from '../../invoices/update.ts';
import { changesOf, newInvoiceOf, optional, required, timeToBill, timeToBillOf } from '../../invoices/inputs.ts';
import { ReadBilling, WriteBilling } from '../../permissions.ts';

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
    body: z.object({
      ...required,
      ...optional,
      invoice_number: input.optional(input.text(64, { compared: true })),
      status: input.optional(input.choice(['draft', 'sent'])),
    }),
    returns: created(InvoiceDetail),
    handle: async (ctx, { body }) => readInvoice(ctx, await createInvoice(ctx, newInvoiceOf(body), body.status)),
  }),
  admin.post('/billing/invoices.php?action=from-time', {
    title: 'Bill worked time',
    addition: true,
    access: administrators(WriteBilling),
    body: timeToBill,
    returns: created(InvoiceDetail),
    handle: async (ctx, { body }) => readInvoice(ctx, await createInvoiceFromTime(ctx, timeToBillOf(body))),
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
    body: input.changes({ ...required, ...optional, status: input.choice(invoiceStatuses) }),
    returns: item(InvoiceDetail),
    load: (ctx, { id }) => lock(ctx, Invoices, id),
    handle: async (ctx, { item: invoice, body }) =>
      readInvoice(ctx, await updateInvoice(ctx, invoice, changesOf(body))),
  }),
];
