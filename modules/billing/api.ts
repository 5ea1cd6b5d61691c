export { Invoice, InvoiceLine } from './invoices/entities.ts';
export { createDraftInvoice, type NewInvoice } from './invoices/create.ts';
export type { NewLine } from './invoices/lines.ts';
export { InvoiceCreated, InvoiceOverdue, InvoicePaid, InvoiceSent, InvoiceVoided, PaymentRecorded } from './events.ts';
export { Payment } from './payments/entities.ts';
export { ReadBilling, WriteBilling } from './permissions.ts';
