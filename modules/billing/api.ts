export { createCreditNote, refundCredit, type NewCreditNote } from './credits/credit-notes.ts';
export { CreditNote } from './credits/entities.ts';
export { Invoice, InvoiceLine } from './invoices/entities.ts';
export { createDraftInvoice, type NewInvoice } from './invoices/create.ts';
export { createInvoiceFromTime, type TimeToBill } from './invoices/from-time.ts';
export type { NewLine } from './invoices/lines.ts';
export { sendInvoice, updateInvoice, type InvoiceUpdate } from './invoices/update.ts';
export {
  CreditNoteIssued,
  InvoiceCreated,
  InvoiceOverdue,
  InvoicePaid,
  InvoiceSent,
  InvoiceVoided,
  PaymentRecorded,
} from './events.ts';
export { Payment } from './payments/entities.ts';
export { payInvoice } from './payments/payments.ts';
export { ReadBilling, WriteBilling } from './permissions.ts';
export { Product } from './products/entities.ts';
export { createProduct, type NewProduct } from './products/products.ts';
export { decideProposal } from './proposals/decide.ts';
export { Proposal } from './proposals/entities.ts';
export { createProposal, lockProposal, sendProposal, type NewProposal } from './proposals/proposals.ts';
export { Subscription, SubscriptionPeriod } from './subscriptions/entities.ts';
export { createSubscriptions, type NewSubscriptions } from './subscriptions/create.ts';
export { purchase } from './subscriptions/purchase.ts';
export { billSubscriptions } from './subscriptions/recurring.ts';
export { lockSubscription, updateSubscription } from './subscriptions/subscriptions.ts';
