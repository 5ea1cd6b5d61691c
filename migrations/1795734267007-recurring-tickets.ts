// Adds recurring tickets and what was created from them.
import { z } from 'zod';
import { migration } from '../packages/database/migration/migrate.ts';
import { choice, day, flag, id, int, json, key, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1795734267007-recurring-tickets', async (m) => {
  await m.createTable(
    'recurring_ticket',
    {
      recurring_id: id(),
      name: text(255),
      name_key: key().nullable().unique(),
      template_id: ref('ticket_template.template_id'),
      company_numbers: json(z.unknown()),
      active: flag().default(true),
      starts_on: day(),
      time: text(5),
      rrule: text(255),
      calendar_id: ref('level_calendar.calendar_id').nullable(),
      on_closed_days: choice('create', 'skip', 'move').default('create'),
      last_day: day().nullable(),
      next_at: when().nullable(),
      problem: text(1000).default(''),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [
      ['name', 'recurring_id', 'deleted_at'],
      ['next_at', 'recurring_id', 'deleted_at'],
      ['template_id', 'recurring_id'],
      ['calendar_id', 'recurring_id'],
    ],
  );
  await m.createTable(
    'recurring_ticket_occurrence',
    {
      occurrence_id: id(),
      recurring_id: ref('recurring_ticket.recurring_id'),
      day: day(),
      company_number: ref('company.company_number'),
      ticket_id: ref('ticket.ticket_id'),
      missed: int().default(0),
      created_at: when(),
    },
    [['recurring_id', 'created_at', 'occurrence_id']],
    { unique: [['recurring_id', 'day', 'company_number']] },
  );
});
