import { definePlugin, dependent } from '@keelson/core';
import dropdowns from './dropdowns.ts';
import { InvoiceCreated, InvoiceOverdue, InvoicePaid, InvoiceSent, InvoiceVoided, PaymentRecorded } from './events.ts';
import {
  BillingSequence,
  Invoice,
  InvoiceCount,
  InvoiceLine,
  InvoiceLineEntry,
  InvoiceOwed,
} from './invoices/entities.ts';
import jobs from './jobs.ts';
import { InvoiceSentMail } from './mail-templates.ts';
import { Payment, PaymentCount } from './payments/entities.ts';
import permissions from './permissions.ts';
import adminRoutes from './routes/admin.ts';
import helpdeskRoutes from './routes/helpdesk.ts';
import { BillingAccount, BillingMovement, Statement } from './statements/entities.ts';

export default definePlugin({
  id: 'billing',
  title: 'Billing',
  requires: ['directory', 'tickets'],
  perCompany: { default: false },
  entities: [
    Invoice,
    InvoiceLine,
    InvoiceLineEntry,
    BillingSequence,
    Payment,
    BillingMovement,
    BillingAccount,
    Statement,
  ],
  counters: [InvoiceCount, InvoiceOwed, PaymentCount],
  dependents: [dependent(Invoice, 'company_number', 'invoices')],
  permissions,
  events: [InvoiceCreated, InvoiceSent, InvoicePaid, InvoiceOverdue, InvoiceVoided, PaymentRecorded],
  mailTemplates: [InvoiceSentMail],
  routes: [...adminRoutes, ...helpdeskRoutes],
  jobs,
  dropdowns,
});
