// Adds ticket templates and the checklists of tickets.
import { z } from 'zod';
import { migration } from '../packages/database/migration/migrate.ts';
import { flag, id, int, json, key, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1795732716108-ticket-templates', async (m) => {
  await m.createTable(
    'ticket_template',
    {
      template_id: id(),
      name: text(255),
      name_key: key().nullable().unique(),
      subject: text(255),
      description: text().default(''),
      job_type: text(255).default(''),
      priority: int().default(3),
      assigned_to: ref('technician.user_id').nullable(),
      due_in_days: int().nullable(),
      checklist: json(z.unknown()),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [
      ['name', 'template_id', 'deleted_at'],
      ['assigned_to', 'template_id'],
    ],
  );
  await m.createTable(
    'ticket_checklist_item',
    {
      item_id: id(),
      ticket_id: ref('ticket.ticket_id'),
      position: int(),
      title: text(255),
      required: flag().default(false),
      done_at: when().nullable(),
      done_by: text(255).default(''),
      created_at: when(),
    },
    [['ticket_id', 'position', 'item_id']],
  );
});
