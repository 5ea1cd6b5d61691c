// Adds credit notes.
import { migration } from '../packages/database/migration/migrate.ts';
import { big, choice, day, id, int, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1795707117987-credit-notes', async (m) => {
  await m.addColumn('invoice', 'credited_minor', big().default(0));
  await m.addColumn('billing_movement', 'credit_note_id', int().nullable());
  await m.createTable(
    'credit_note',
    {
      credit_note_id: id(),
      credit_note_number: text(64),
      invoice_id: ref('invoice.invoice_id'),
      company_number: ref('company.company_number'),
      currency: text(3),
      issue_date: day(),
      reason: text().default(''),
      subtotal_minor: big(),
      tax_minor: big(),
      total_minor: big(),
      used_minor: big().default(0),
      created_at: when(),
      updated_at: when(),
    },
    [
      ['company_number', 'created_at', 'credit_note_id'],
      ['invoice_id', 'credit_note_id'],
      ['created_at', 'credit_note_id'],
      ['issue_date', 'credit_note_id'],
    ],
  );
  await m.createTable(
    'credit_note_line',
    {
      line_item_id: id(),
      credit_note_id: ref('credit_note.credit_note_id'),
      invoice_id: ref('invoice.invoice_id'),
      invoice_line_id: ref('invoice_line.line_item_id'),
      position: int(),
      description: text(),
      quantity_parts: big(),
      unit_price: text(24),
      amount_minor: big(),
      tax_ppm: int(),
    },
    [
      ['credit_note_id', 'position'],
      ['invoice_id', 'credit_note_id'],
    ],
  );
  await m.createTable(
    'credit_use',
    {
      use_id: id(),
      credit_note_id: ref('credit_note.credit_note_id'),
      kind: choice('invoice', 'refund'),
      invoice_id: ref('invoice.invoice_id').nullable(),
      amount_minor: big(),
      day: day(),
      method: choice('card', 'ach', 'check', 'cash', 'wire', 'other').nullable(),
      reference: text(255).default(''),
      created_at: when(),
    },
    [
      ['credit_note_id', 'use_id'],
      ['invoice_id', 'use_id'],
    ],
  );
});
