import { file, findVisible, helpdesk, item, list, pageOf } from '@keelson/core';
import { seesBilling } from '@keelson/core/surfaces';
import { PortalInvoiceDetail, readInvoice } from '../invoices/invoice-detail.ts';
import { PortalInvoice } from '../invoices/invoice-list.ts';
import { invoicePdf } from '../invoices/pdf.ts';
import { PortalPayment } from '../payments/payment-list.ts';
import { PortalStatement } from '../statements/statements.ts';

export default [
  helpdesk.get('/billing/invoices', {
    title: 'List your company’s invoices',
    access: seesBilling,
    query: helpdesk.paging({ status: PortalInvoice.query.status }),
    returns: list(PortalInvoice, 'invoices'),
    handle: (ctx, { query }) => pageOf(ctx, PortalInvoice, query),
  }),
  helpdesk.get('/billing/invoices/{id}', {
    title: 'Show an invoice with its lines and payments',
    access: seesBilling,
    returns: item(PortalInvoiceDetail),
    load: (ctx, { id }) => findVisible(ctx, PortalInvoice, id),
    handle: (ctx, { item: invoice }) => readInvoice(ctx, invoice),
  }),
  helpdesk.get('/billing/invoices/{id}/pdf', {
    title: 'Download an invoice as a PDF',
    addition: true,
    access: seesBilling,
    returns: file('application/pdf'),
    load: (ctx, { id }) => findVisible(ctx, PortalInvoice, id),
    handle: (ctx, { item: invoice }) => invoicePdf(ctx, invoice),
  }),
  helpdesk.get('/billing/payments', {
    title: 'List your company’s payments',
    access: seesBilling,
    query: helpdesk.paging({}, { whole: true }),
    returns: list(PortalPayment, 'payments'),
    handle: (ctx, { query }) => pageOf(ctx, PortalPayment, query),
  }),
  helpdesk.get('/billing/statements', {
    title: 'List your company’s statements',
    access: seesBilling,
    query: helpdesk.paging({}, { whole: true }),
    returns: list(PortalStatement, 'statements'),
    handle: (ctx, { query }) => pageOf(ctx, PortalStatement, query),
  }),
];
