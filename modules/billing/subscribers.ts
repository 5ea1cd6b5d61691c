import { subscriber } from '@keelson/core';
import { mailCreditNote } from './credits/mail.ts';
import { CreditNoteMailAsked, InvoiceMailAsked, InvoiceSent, ProposalSent } from './events.ts';
import { mailAsked, mailInvoice } from './invoices/mail.ts';
import { mailProposal } from './proposals/mail.ts';

export default [
  // Creates the PDF outside any transaction.
  subscriber('billing.mail-invoice', InvoiceSent, (ctx, { data }) => mailInvoice(ctx, data.invoice_id), {
    outside: true,
  }),
  subscriber('billing.mail-invoice-asked', InvoiceMailAsked, (ctx, { data }) => mailAsked(ctx, data.mail_id), {
    outside: true,
  }),
  subscriber('billing.mail-credit-note', CreditNoteMailAsked, mailCreditNote, { outside: true }),
  subscriber('billing.mail-proposal', ProposalSent, mailProposal),
];
