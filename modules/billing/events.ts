import { event, eventData, findOr404, type EventRecord } from '@keelson/core';
import { InvoiceItem, InvoiceNoun } from './invoices/invoice-list.ts';
import { PaymentItem, PaymentNoun } from './payments/payment-list.ts';

const invoice: EventRecord<InvoiceItem> = {
  type: 'invoice',
  read: async (ctx, id) => eventData(ctx, InvoiceItem, await findOr404(ctx, InvoiceNoun, id)),
};
const payment: EventRecord<PaymentItem> = {
  type: 'payment',
  read: async (ctx, id) => eventData(ctx, PaymentItem, await findOr404(ctx, PaymentNoun, id)),
};
const ofInvoice = { webhook: 'admin', record: invoice } as const;

export const InvoiceCreated = event('invoice.created', InvoiceItem.shape, ofInvoice);
export const InvoiceSent = event('invoice.sent', InvoiceItem.shape, ofInvoice);
export const InvoicePaid = event('invoice.paid', InvoiceItem.shape, ofInvoice);
export const InvoiceOverdue = event('invoice.overdue', InvoiceItem.shape, ofInvoice);
export const InvoiceVoided = event('invoice.voided', InvoiceItem.shape, ofInvoice);
export const PaymentRecorded = event('payment.recorded', PaymentItem.shape, { webhook: 'admin', record: payment });
