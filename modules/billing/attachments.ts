// Attachments of invoices: readable by those who may see the company's bills, and added only by the provider.
import { administrators, attachments } from '@keelson/core';
import { seesBilling } from '@keelson/core/surfaces';
import { InvoiceItem, PortalInvoice } from './invoices/invoice-list.ts';
import { Invoices } from './invoices/invoices.ts';
import { ReadBilling, WriteBilling } from './permissions.ts';

export const InvoiceAttachments = attachments(Invoices, {
  company: (invoice) => invoice.company_number,
  call: (invoice) => invoice.invoice_number,
  admin: { path: '/billing/invoices.php', read: ReadBilling, write: administrators(WriteBilling), view: InvoiceItem },
  helpdesk: { path: '/billing/invoices', read: seesBilling, view: PortalInvoice },
});
