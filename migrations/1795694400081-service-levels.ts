// Adds calendars of business hours, their holidays, and service level policies.
import { z } from 'zod';
import { migration } from '../packages/database/migration/migrate.ts';
import { day, flag, id, int, json, key, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1795694400081-service-levels', async (m) => {
  await m.createTable(
    'level_calendar',
    {
      calendar_id: id(),
      name: text(255),
      name_key: key().nullable().unique(),
      time_zone: text(64),
      hours: json(z.unknown()),
      is_default: flag().default(false),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [['name', 'calendar_id', 'deleted_at']],
  );
  await m.createTable(
    'level_holiday',
    {
      holiday_id: id(),
      calendar_id: ref('level_calendar.calendar_id'),
      day: day(),
      name: text(255),
      hours: json(z.unknown()),
      created_at: when(),
    },
    [['day', 'holiday_id']],
    { unique: [['calendar_id', 'day']] },
  );
  await m.createTable(
    'level_policy',
    {
      policy_id: id(),
      name: text(255),
      name_key: key().nullable().unique(),
      calendar_id: ref('level_calendar.calendar_id').nullable(),
      active: flag().default(true),
      position: int().default(100),
      company_number: ref('company.company_number').nullable(),
      job_type: text(255).default(''),
      contract_id: ref('contract.contract_id').nullable(),
      targets: json(z.unknown()),
      warnings: json(z.unknown()),
      pause_on_hold: flag().default(true),
      pause_waiting_for_customer: flag().default(true),
      pause_waiting_for_approval: flag().default(true),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [
      ['position', 'policy_id', 'deleted_at'],
      ['company_number', 'position', 'policy_id'],
      ['calendar_id', 'policy_id'],
    ],
  );
});
