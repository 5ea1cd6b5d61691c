// Invoice records and the effects of their changes: an event for each step of an invoice's lifecycle.
import { eventData, eventDataFor, invalid, normalised, record } from '@keelson/core';
import { holdCompany } from '@keelson/modules/directory';
import { InvoiceCreated, InvoiceOverdue, InvoicePaid, InvoiceSent, InvoiceVoided } from '../events.ts';
import { InvoiceNumbers } from '../names.ts';
import type { Invoice } from './entities.ts';
import { balanceOf, InvoiceItem, InvoiceNoun } from './invoice-list.ts';

const reached = { draft: undefined, sent: undefined, paid: InvoicePaid, overdue: InvoiceOverdue, void: InvoiceVoided };

export const Invoices = record(InvoiceNoun, {
  call: ({ invoice_number }) => invoice_number,
  names: InvoiceNumbers,
  taken: ({ invoice_number }) => `invoice_number ${invoice_number} already exists`,
  derive: (invoice) => ({
    number_key: normalised(invoice.invoice_number),
    issued: invoice.sent_at !== null,
    owed_minor: invoice.home && isOwed(invoice) ? balanceOf(invoice) : 0,
  }),
  async prepare(ctx, after, before) {
    if (after.due_date < after.issue_date) throw invalid('due_date must not be before issue_date');
    // For a new invoice, the company was locked before its number was taken.
    if (before && after.company_number !== before.company_number) await holdCompany(ctx, after.company_number);
  },
  async created(ctx, invoice) {
    ctx.emit(InvoiceCreated, await eventData(ctx, InvoiceItem, invoice));
  },
  async changed(ctx, changes) {
    const dataOf = await eventDataFor(
      ctx,
      InvoiceItem,
      changes.map(({ after }) => after),
    );
    for (const { before, after, changed } of changes) {
      const sent = before.sent_at === null && after.sent_at !== null ? InvoiceSent : undefined;
      const moved = before.status === after.status ? undefined : reached[after.status];
      for (const event of [sent, moved]) if (event) ctx.emit(event, dataOf(after), { changed });
    }
  },
});

/** Returns true if the invoice awaits payment. */
export const isOwed = ({ status }: Pick<Invoice, 'status'>): boolean => status === 'sent' || status === 'overdue';
