import { definePlugin, dependent } from '@keelson/core';
import dropdowns from './dropdowns.ts';
import events from './events.ts';
import {
  BillingSequence,
  Invoice,
  InvoiceCount,
  InvoiceLine,
  InvoiceLineEntry,
  InvoiceOwed,
} from './invoices/entities.ts';
import jobs from './jobs.ts';
import live from './live.ts';
import { InvoiceSentMail, ProposalSentMail } from './mail-templates.ts';
import { Payment, PaymentCount } from './payments/entities.ts';
import permissions from './permissions.ts';
import { Product, ProductCount } from './products/entities.ts';
import { ProposalAttachments } from './proposals/attachments.ts';
import { Proposal, ProposalCount, ProposalLine } from './proposals/entities.ts';
import reports from './reports.ts';
import adminRoutes from './routes/admin.ts';
import helpdeskRoutes from './routes/helpdesk.ts';
import salesRoutes from './routes/helpdesk/sales.ts';
import search from './search.ts';
import { BillingAccount, BillingMovement, Statement } from './statements/entities.ts';
import subscribers from './subscribers.ts';
import { Subscription, SubscriptionCount, SubscriptionPeriod } from './subscriptions/entities.ts';

const ofInvoices = [Invoice, InvoiceLine, InvoiceLineEntry, BillingSequence, Payment];
const ofStatements = [BillingMovement, BillingAccount, Statement];
const ofSales = [Product, Proposal, ProposalLine, Subscription, SubscriptionPeriod];

export default definePlugin({
  id: 'billing',
  title: 'Billing',
  requires: ['directory', 'tickets'],
  perCompany: { default: false },
  entities: [...ofInvoices, ...ofStatements, ...ofSales],
  counters: [InvoiceCount, InvoiceOwed, PaymentCount, ProductCount, ProposalCount, SubscriptionCount],
  dependents: [
    dependent(Invoice, 'company_number', 'invoices'),
    dependent(Proposal, 'company_number', 'proposals'),
    dependent(Subscription, 'company_number', 'subscriptions'),
  ],
  permissions,
  events,
  mailTemplates: [InvoiceSentMail, ProposalSentMail],
  routes: [...adminRoutes, ...helpdeskRoutes, ...salesRoutes],
  attachments: [ProposalAttachments],
  subscribers,
  search,
  reports,
  live,
  jobs,
  dropdowns,
});
