import { event, eventData, findOr404, z, type EventRecord } from '@keelson/core';
import { CreditNoteItem, CreditNoteNoun } from './credits/credit-list.ts';
import { InvoiceItem, InvoiceNoun } from './invoices/invoice-list.ts';
import { PaymentItem, PaymentNoun } from './payments/payment-list.ts';
import { ProposalItem, ProposalNoun } from './proposals/proposal-list.ts';
import { SubscriptionItem, SubscriptionNoun } from './subscriptions/subscription-list.ts';

const invoice: EventRecord<InvoiceItem> = {
  type: 'invoice',
  read: async (ctx, id) => eventData(ctx, InvoiceItem, await findOr404(ctx, InvoiceNoun, id)),
};
const payment: EventRecord<PaymentItem> = {
  type: 'payment',
  read: async (ctx, id) => eventData(ctx, PaymentItem, await findOr404(ctx, PaymentNoun, id)),
};
const creditNote: EventRecord<CreditNoteItem> = {
  type: 'credit_note',
  read: async (ctx, id) => eventData(ctx, CreditNoteItem, await findOr404(ctx, CreditNoteNoun, id)),
};
const proposal: EventRecord<ProposalItem> = {
  type: 'proposal',
  read: async (ctx, id) => eventData(ctx, ProposalItem, await findOr404(ctx, ProposalNoun, id)),
};
const subscription: EventRecord<SubscriptionItem> = {
  type: 'subscription',
  read: async (ctx, id) => eventData(ctx, SubscriptionItem, await findOr404(ctx, SubscriptionNoun, id)),
};
const ofInvoice = { webhook: 'admin', record: invoice } as const;

export const InvoiceCreated = event('invoice.created', InvoiceItem.shape, ofInvoice);
export const InvoiceSent = event('invoice.sent', InvoiceItem.shape, ofInvoice);
export const InvoicePaid = event('invoice.paid', InvoiceItem.shape, ofInvoice);
export const InvoiceOverdue = event('invoice.overdue', InvoiceItem.shape, ofInvoice);
export const InvoiceVoided = event('invoice.voided', InvoiceItem.shape, ofInvoice);
/** An invoice must be mailed to chosen recipients, or mailed again. */
export const InvoiceMailAsked = event('invoice_mails.asked', z.object({ mail_id: z.int() }));
export const PaymentRecorded = event('payment.recorded', PaymentItem.shape, { webhook: 'admin', record: payment });
export const CreditNoteIssued = event('credit_note.issued', CreditNoteItem.shape, {
  webhook: 'admin',
  record: creditNote,
});
/** A credit note must be mailed. */
export const CreditNoteMailAsked = event(
  'credit_note_mails.asked',
  z.object({ credit_note_id: z.int(), employee_numbers: z.array(z.int()), message: z.string() }),
);

const ofProposal = { webhook: 'admin', record: proposal } as const;

export const ProposalSent = event('proposal.sent', ProposalItem.shape, ofProposal);
export const ProposalAccepted = event('proposal.accepted', ProposalItem.shape, ofProposal);
export const ProposalRejected = event('proposal.rejected', ProposalItem.shape, ofProposal);
export const ProposalExpired = event('proposal.expired', ProposalItem.shape, ofProposal);

const ofSubscription = { webhook: 'admin', record: subscription } as const;

export const SubscriptionCreated = event('subscription.created', SubscriptionItem.shape, ofSubscription);
export const SubscriptionCancelled = event('subscription.cancelled', SubscriptionItem.shape, ofSubscription);
export const SubscriptionExpired = event('subscription.expired', SubscriptionItem.shape, ofSubscription);

export default [
  InvoiceCreated,
  InvoiceSent,
  InvoicePaid,
  InvoiceOverdue,
  InvoiceVoided,
  InvoiceMailAsked,
  PaymentRecorded,
  CreditNoteIssued,
  CreditNoteMailAsked,
  ProposalSent,
  ProposalAccepted,
  ProposalRejected,
  ProposalExpired,
  SubscriptionCreated,
  SubscriptionCancelled,
  SubscriptionExpired,
];
