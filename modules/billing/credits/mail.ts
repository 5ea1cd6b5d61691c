// Mails a credit note with its PDF, like an invoice.
import type { Context, Occurrence } from '@keelson/core';
import { Invoice } from '../invoices/entities.ts';
import { mailPaper, recipientsOf } from '../invoices/mail.ts';
import { CreditNoteMail } from '../mail-templates.ts';
import { CreditNote } from './entities.ts';
import { creditNotePdf } from './pdf.ts';

interface Asked {
  readonly credit_note_id: number;
  readonly employee_numbers: readonly number[];
  readonly message: string;
}

export async function mailCreditNote(outside: Context, { event_id, data }: Occurrence<Asked>): Promise<void> {
  const { credit_note_id, employee_numbers, message } = data;
  const note = await outside.db.findOneBy(CreditNote, { credit_note_id });
  const invoice = note && (await outside.db.findOneBy(Invoice, { invoice_id: note.invoice_id }));
  if (!invoice) return;
  const { company_number, credit_note_number, total_minor, currency, reason } = note;
  const facts = { credit_note_number, invoice_number: invoice.invoice_number };
  await mailPaper(outside, {
    company_number,
    people: await recipientsOf(outside, company_number, employee_numbers),
    attachment_id: `cn-${event_id}`,
    template: CreditNoteMail,
    data: { ...facts, total: { minor: total_minor, currency }, message: message || reason },
    paper: () => creditNotePdf(outside, note),
  });
}
