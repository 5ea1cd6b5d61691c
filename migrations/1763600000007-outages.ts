// The tables of the module outages.
import { migration } from '../packages/database/migration/migrate.ts';
import { flag, id, key, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1763600000007-outages', async (m) => {
  await m.createTable('outage_service', {
    service_id: id(),
    name: text(255),
    name_key: key().unique().nullable(),
    description: text(),
    category: text(100).default(''),
    active: flag().default(true),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable(),
  });
  await m.createTable('company_service', {
    company_number: ref('company.company_number').primary(),
    service_id: ref('outage_service.service_id').primary(),
  });
  await m.createTable(
    'outage',
    {
      outage_id: id(),
      service_id: ref('outage_service.service_id'),
      company_number: ref('company.company_number').nullable(),
      title: text(255),
      description: text(),
      severity: text(40).default('minor'),
      status: text(40),
      started_at: when().nullable(),
      scheduled_start: when().nullable(),
      scheduled_end: when().nullable(),
      resolved_at: when().nullable(),
      notes: text(),
      notify: flag().default(false),
      created_by: text(255),
      created_at: when(),
      updated_at: when(),
    },
    [
      ['created_at', 'outage_id'],
      ['status', 'created_at', 'outage_id'],
      ['company_number', 'created_at', 'outage_id'],
      ['service_id', 'created_at', 'outage_id'],
      ['status', 'scheduled_start'],
      ['status', 'scheduled_end'],
    ],
  );
  await m.createTable(
    'outage_history',
    {
      history_id: id(),
      outage_id: ref('outage.outage_id'),
      status: text(40),
      notes: text(),
      changed_by: text(255),
      notified: flag().default(false),
      created_at: when(),
    },
    [['outage_id', 'history_id']],
  );
  await m.createTable(
    'outage_subscriber',
    {
      subscriber_id: id(),
      company_number: ref('company.company_number'),
      name: text(255).default(''),
      email: text(254),
      email_key: key(254),
      created_at: when(),
    },
    [],
    { unique: [['company_number', 'email_key']] },
  );
});
