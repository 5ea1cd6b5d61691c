// List views of invoices (F-30), on both surfaces.
import { by, fromMinor, noun, param, restrict, searched, sql, view, z, type OutOf } from '@keelson/core';
import { CompanyNames } from '@keelson/modules/directory';
import { fromRate } from '../money.ts';
import { issuedToOwnCompany } from '../visible.ts';
import { Invoice, InvoiceCount, InvoiceOwed } from './entities.ts';

export const InvoiceNoun = noun(Invoice, {
  title: 'Invoice',
  counters: [InvoiceCount, InvoiceOwed],
  filters: (its) => ({
    company_number: its.is('company_number'),
    status: its.is('status'),
    search: searched(Invoice, 'more'),
    date_from: its.by(param.day(), (_ctx, day) => sql`invoice.issue_date >= ${day}`),
    date_to: its.by(param.day(), (_ctx, day) => sql`invoice.issue_date <= ${day}`),
  }),
  sorts: { created_at: by('created_at') },
});

type Amounts = Pick<Invoice, 'total_minor' | 'paid_minor' | 'credited_minor' | 'status'>;

/** Returns the remaining balance, in minor units. */
export const balanceOf = ({ total_minor, paid_minor, credited_minor, status }: Amounts): number =>
  status === 'void' ? 0 : total_minor - paid_minor - credited_minor;

export const InvoiceItem = view(InvoiceNoun, {
  except: ['subtotal_minor', 'tax_ppm', 'tax_minor', 'total_minor', 'paid_minor', 'credited_minor'],
  more: (its) => ({
    company_name: its.name(CompanyNames, 'company_number'),
    subtotal: its.from(z.number(), ['subtotal_minor'], (row) => fromMinor(row.subtotal_minor)),
    tax_rate: its.from(z.number(), ['tax_ppm'], (row) => fromRate(row.tax_ppm)),
    tax: its.from(z.number(), ['tax_minor'], (row) => fromMinor(row.tax_minor)),
    total: its.from(z.number(), ['total_minor'], (row) => fromMinor(row.total_minor)),
    amount_paid: its.from(z.number(), ['paid_minor'], (row) => fromMinor(row.paid_minor)),
    amount_credited: its.from(z.number(), ['credited_minor'], (row) => fromMinor(row.credited_minor)),
    balance_due: its.from(z.number(), ['total_minor', 'paid_minor', 'credited_minor', 'status'], (row) =>
      fromMinor(balanceOf(row)),
    ),
  }),
});
export type InvoiceItem = OutOf<typeof InvoiceItem>;

/** An invoice as its company sees it. */
export const PortalInvoice = restrict(InvoiceItem, issuedToOwnCompany);
