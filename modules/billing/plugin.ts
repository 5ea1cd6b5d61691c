import { definePlugin, dependent } from '@keelson/core';
import { hooked } from '@keelson/core/plugin';
import { CurrencyChanged } from '@keelson/modules/system';
import { InvoiceAttachments } from './attachments.ts';
import consolePages from './console/pages.ts';
import { CreditNote } from './credits/entities.ts';
import dropdowns from './dropdowns.ts';
import entities, { counters } from './entities.ts';
import events from './events.ts';
import fills from './fills.ts';
import { Invoice } from './invoices/entities.ts';
import { keepInvoiceCurrency } from './invoices/home-currency.ts';
import jobs from './jobs.ts';
import live from './live.ts';
import { CreditNoteMail, InvoiceSentMail, InvoiceWithWordsMail, ProposalSentMail } from './mail-templates.ts';
import permissions from './permissions.ts';
import portalPages from './portal/pages.ts';
import { ProposalAttachments } from './proposals/attachments.ts';
import { Proposal } from './proposals/entities.ts';
import reports from './reports.ts';
import adminRoutes from './routes/admin.ts';
import helpdeskRoutes from './routes/helpdesk.ts';
import creditRoutes from './routes/helpdesk/credit-notes.ts';
import salesRoutes from './routes/helpdesk/sales.ts';
import search from './search.ts';
import { SubscriptionInvoices } from './settings.ts';
import subscribers from './subscribers.ts';
import { Subscription } from './subscriptions/entities.ts';

export default definePlugin({
  id: 'billing',
  title: 'Billing',
  description: 'Invoices, credit notes, payments, proposals, subscriptions and products.',
  requires: ['directory', 'system', 'tickets', 'inventory'],
  perCompany: { default: false },
  entities,
  counters,
  dependents: [
    dependent(Invoice, 'company_number', 'invoices'),
    dependent(CreditNote, 'company_number', 'credit notes'),
    dependent(Proposal, 'company_number', 'proposals'),
    dependent(Subscription, 'company_number', 'subscriptions'),
  ],
  permissions,
  events,
  mailTemplates: [CreditNoteMail, InvoiceSentMail, InvoiceWithWordsMail, ProposalSentMail],
  console: consolePages,
  portal: portalPages,
  routes: [...adminRoutes, ...helpdeskRoutes, ...creditRoutes, ...salesRoutes],
  attachments: [InvoiceAttachments, ProposalAttachments],
  subscribers,
  hooks: [hooked(CurrencyChanged, keepInvoiceCurrency)],
  fills,
  search,
  reports,
  live,
  jobs,
  settings: [SubscriptionInvoices],
  dropdowns,
});
