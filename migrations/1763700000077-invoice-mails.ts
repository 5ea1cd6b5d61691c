// Adds invoice mails to chosen recipients with a custom message.
import { z } from 'zod';
import { migration } from '../core/database/migrate.ts';
import { id, json, ref, text, when } from '../core/database/table.ts';

export default migration('1763700000077-invoice-mails', async (m) => {
  await m.createTable(
    'invoice_mail',
    {
      mail_id: id(),
      invoice_id: ref('invoice.invoice_id'),
      employee_numbers: json(z.array(z.int())),
      message: text().default(''),
      asked_by: text(255),
      created_at: when(),
    },
    [['invoice_id']],
  );
});
