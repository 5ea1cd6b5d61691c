import { subscriber } from '@keelson/core';
import { InvoiceSent, ProposalSent } from './events.ts';
import { mailInvoice } from './invoices/mail.ts';
import { mailProposal } from './proposals/mail.ts';

export default [
  // The PDF is made outside of any transaction.
  subscriber('billing.mail-invoice', InvoiceSent, (ctx, { data }) => mailInvoice(ctx, data.invoice_id), {
    outside: true,
  }),
  subscriber('billing.mail-proposal', ProposalSent, mailProposal),
];
