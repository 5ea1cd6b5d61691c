// All tables of the module; each part declares its own.
import { CreditNote, CreditNoteLine, CreditUse } from './credits/entities.ts';
import {
  BillingSequence,
  Invoice,
  InvoiceCount,
  InvoiceLine,
  InvoiceLineCoverage,
  InvoiceLineEntry,
  InvoiceMail,
  InvoiceOwed,
} from './invoices/entities.ts';
import { Payment } from './payments/entities.ts';
import { Product } from './products/entities.ts';
import { Proposal, ProposalLine } from './proposals/entities.ts';
import { BillingAccount, BillingMovement, Statement } from './statements/entities.ts';
import { Subscription, SubscriptionPeriod } from './subscriptions/entities.ts';

export default [
  ...[Invoice, InvoiceLine, InvoiceLineEntry, InvoiceLineCoverage, InvoiceMail, BillingSequence, Payment],
  ...[CreditNote, CreditNoteLine, CreditUse],
  ...[BillingMovement, BillingAccount, Statement],
  ...[Product, Proposal, ProposalLine, Subscription, SubscriptionPeriod],
];

export const counters = Object.freeze([InvoiceCount, InvoiceOwed]);
