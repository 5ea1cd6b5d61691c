// List views of credit notes, on both surfaces.
import { by, fromMinor, noun, param, restrict, searched, sql, view, z, type OutOf } from '@keelson/core';
import { CompanyNames } from '@keelson/modules/directory';
import { InvoiceNumbers } from '../names.ts';
import { ownCompany } from '../visible.ts';
import { CreditNote } from './entities.ts';

export const CreditNoteNoun = noun(CreditNote, {
  title: 'Credit note',
  filters: (its) => ({
    company_number: its.is('company_number'),
    invoice_id: its.is('invoice_id'),
    search: searched(CreditNote),
    date_from: its.by(param.day(), (_ctx, day) => sql`credit_note.issue_date >= ${day}`),
    date_to: its.by(param.day(), (_ctx, day) => sql`credit_note.issue_date <= ${day}`),
  }),
  sorts: { created_at: by('created_at') },
});

/** Returns the amount that can still be applied to invoices or refunded, in minor units. */
export const openCredit = ({ total_minor, used_minor }: Pick<CreditNote, 'total_minor' | 'used_minor'>): number =>
  -total_minor - used_minor;

export const CreditNoteItem = view(CreditNoteNoun, {
  except: ['subtotal_minor', 'tax_minor', 'total_minor', 'used_minor'],
  more: (its) => ({
    invoice_number: its.name(InvoiceNumbers, 'invoice_id'),
    company_name: its.name(CompanyNames, 'company_number'),
    subtotal: its.from(z.number(), ['subtotal_minor'], (row) => fromMinor(row.subtotal_minor)),
    tax: its.from(z.number(), ['tax_minor'], (row) => fromMinor(row.tax_minor)),
    total: its.from(z.number(), ['total_minor'], (row) => fromMinor(row.total_minor)),
    open_amount: its.from(z.number(), ['total_minor', 'used_minor'], (row) => fromMinor(openCredit(row))),
  }),
});
export type CreditNoteItem = OutOf<typeof CreditNoteItem>;

/** A credit note as its company sees it. */
export const PortalCreditNote = restrict(CreditNoteItem, ownCompany);
