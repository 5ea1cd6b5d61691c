// Report sources: invoices on both surfaces; payments, and worked time that no invoice bills.
import { by, noun, reportSource, sql, view, z } from '@keelson/core';
import { seesBilling } from '@keelson/core/surfaces';
import { CompanyNames, TechnicianNames } from '@keelson/modules/directory';
import { ofLivingTickets, TicketTimeEntry } from '@keelson/modules/tickets';
import { PaymentItem } from '../payments/payment-list.ts';
import { ReadBilling } from '../permissions.ts';
import { unbilled } from './from-time.ts';
import { InvoiceItem, PortalInvoice } from './invoice-list.ts';

const money = (label: string, column: string) => ({ label, type: 'money', column }) as const;
const company = { company_number: 'Company number', company_name: 'Company' } as const;

const invoiceFields = {
  invoice_id: 'Invoice ID',
  invoice_number: 'Invoice number',
  status: 'Status',
  issue_date: 'Issued',
  due_date: 'Due',
  subtotal: money('Subtotal', 'subtotal_minor'),
  tax_rate: 'Tax rate',
  tax: money('Tax', 'tax_minor'),
  total: money('Total', 'total_minor'),
  amount_paid: money('Paid', 'paid_minor'),
  amount_credited: money('Credited', 'credited_minor'),
  balance_due: { label: 'Balance due', type: 'money' },
  currency: 'Currency',
  notes: 'Notes',
  sent_at: 'Sent',
  paid_at: 'Paid on',
  created_at: 'Created',
  updated_at: 'Updated',
} as const;

/** Billable time that is on no invoice. */
const UnbilledTime = view(
  noun(TicketTimeEntry, { title: 'Time entry', sorts: { time_entry_id: by('time_entry_id') } }),
  {
    only: ['time_entry_id', 'ticket_id', 'user_name', 'duration_minutes', 'work_date', 'description'],
    more: (its) => ({
      company_number: its.from(z.int(), ['company_number'], ({ company_number }) => company_number),
      company_name: its.name(CompanyNames, 'company_number'),
      technician_name: its.name(TechnicianNames, 'user_id'),
      month: its.from(z.string(), ['work_date'], ({ work_date }) => work_date.slice(0, 7)),
    }),
    visible: () => [sql`ticket_time_entry.billable = 1`, ofLivingTickets, unbilled],
  },
);

export default [
  reportSource('admin', 'invoices', {
    title: 'Invoices',
    access: ReadBilling,
    view: InvoiceItem,
    fields: { ...invoiceFields, ...company },
  }),
  reportSource('helpdesk', 'invoices', {
    title: 'Invoices',
    access: seesBilling,
    view: PortalInvoice,
    fields: invoiceFields,
  }),
  reportSource('admin', 'payments', {
    title: 'Payments',
    access: ReadBilling,
    view: PaymentItem,
    fields: {
      payment_id: 'Payment ID',
      invoice_id: 'Invoice ID',
      invoice_number: 'Invoice number',
      ...company,
      amount: money('Amount', 'amount_minor'),
      currency: 'Currency',
      method: 'Method',
      reference: 'Reference',
      paid_at: 'Paid on',
      notes: 'Notes',
      created_at: 'Created',
    },
  }),
  reportSource('admin', 'unbilled_time', {
    title: 'Unbilled time',
    access: ReadBilling,
    view: UnbilledTime,
    fields: {
      time_entry_id: 'Entry ID',
      company_number: { label: 'Company number', column: 'company_number' },
      company_name: 'Company',
      month: { label: 'Month', column: 'work_date', period: 'month' },
      work_date: 'Day',
      ticket_id: 'Ticket ID',
      technician_name: 'Technician',
      user_name: 'Logged by',
      duration_minutes: 'Minutes',
      description: 'Description',
    },
  }),
];
