// Initial CRM tables. Later changes are separate migrations.
import { z } from 'zod';
import { migration, type Migrator } from '../core/database/migrate.ts';
import { big, choice, day, flag, id, int, json, key, ref, text, when } from '../core/database/table.ts';

export default migration('1763700000006-crm', async (m) => {
  await createProspects(m);
  await createContacts(m);
  await createOpportunities(m);
  await createLeads(m);
  await createActivities(m);
  await createNotes(m);
  await createCustomFields(m);
  await createWords(m);
});

async function createProspects(m: Migrator): Promise<void> {
  await m.createTable(
    'prospect',
    {
      prospect_id: id(),
      name: text(255),
      name_key: key().nullable().unique(),
      industry: text(255).default(''),
      website: text(2048).default(''),
      phone: text(32).default(''),
      email: text(254).default(''),
      address: text(255).default(''),
      city: text(255).default(''),
      state: text(255).default(''),
      zip: text(32).default(''),
      country: text(255).default(''),
      status: choice('active', 'inactive', 'converted').default('active'),
      assigned_to: ref('technician.user_id').nullable(),
      company_number: ref('company.company_number').nullable(),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [
      ['name', 'prospect_id', 'deleted_at'],
      ['status', 'name', 'prospect_id', 'deleted_at'],
      ['industry', 'name', 'prospect_id', 'deleted_at'],
      ['assigned_to'],
      ['company_number'],
    ],
  );
  await m.createTable('prospect_count', {
    status: text(40).primary(),
    n: int(),
  });
  await m.createTable('prospect_count_delta', {
    delta_id: id(),
    status: text(40),
    n: int(),
  });
}

async function createContacts(m: Migrator): Promise<void> {
  await m.createTable(
    'crm_contact',
    {
      contact_id: id(),
      prospect_id: ref('prospect.prospect_id').nullable(),
      account: int().default(0),
      lead_id: int().nullable(),
      first_name: text(255).default(''),
      last_name: text(255).default(''),
      email: text(254).default(''),
      email_key: key(254).nullable().unique(),
      phone: text(32).default(''),
      mobile: text(32).default(''),
      title: text(255).default(''),
      company_name: text(255).default(''),
      tags: json(z.unknown()),
      assigned_to: ref('technician.user_id').nullable(),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [
      ['last_name', 'first_name', 'contact_id', 'deleted_at'],
      ['account', 'last_name', 'first_name', 'contact_id', 'deleted_at'],
      ['prospect_id'],
      ['assigned_to'],
      ['lead_id'],
    ],
  );
  await m.createTable(
    'crm_contact_tag',
    {
      contact_id: ref('crm_contact.contact_id').primary(),
      tag: key(64).primary(),
    },
    [['tag', 'contact_id']],
  );
  await m.createTable('crm_contact_count', {
    account: int().primary(),
    n: int(),
  });
  await m.createTable('crm_contact_count_delta', {
    delta_id: id(),
    account: int(),
    n: int(),
  });
}

async function createOpportunities(m: Migrator): Promise<void> {
  await m.createTable(
    'opportunity',
    {
      opportunity_id: id(),
      name: text(255),
      prospect_id: ref('prospect.prospect_id').nullable(),
      contact_id: ref('crm_contact.contact_id').nullable(),
      lead_id: int().nullable(),
      stage: text(100),
      open_stage: text(100),
      status: choice('open', 'won', 'lost').default('open'),
      value_minor: big().default(0),
      probability: int(),
      expected_close_date: day().nullable(),
      assigned_to: ref('technician.user_id').nullable(),
      lost_reason: text(255).nullable(),
      closed_at: when().nullable(),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [
      ['created_at', 'opportunity_id', 'deleted_at'],
      ['status', 'created_at', 'opportunity_id', 'deleted_at'],
      ['stage', 'status', 'created_at', 'opportunity_id', 'deleted_at'],
      ['stage', 'created_at', 'opportunity_id', 'deleted_at'],
      ['prospect_id', 'created_at', 'opportunity_id', 'deleted_at'],
      ['assigned_to', 'created_at', 'opportunity_id', 'deleted_at'],
      ['value_minor', 'created_at', 'opportunity_id', 'deleted_at'],
      ['status', 'closed_at', 'value_minor', 'deleted_at'],
      ['contact_id'],
      ['lead_id'],
    ],
  );
  await m.createTable('opportunity_count', {
    stage: text(100).primary(),
    status: text(40).primary(),
    n: int(),
  });
  await m.createTable('opportunity_count_delta', {
    delta_id: id(),
    stage: text(100),
    status: text(40),
    n: int(),
  });
  await m.createTable('opportunity_value', {
    stage: text(100).primary(),
    status: text(40).primary(),
    n: big(),
  });
  await m.createTable('opportunity_value_delta', {
    delta_id: id(),
    stage: text(100),
    status: text(40),
    n: big(),
  });
}

async function createLeads(m: Migrator): Promise<void> {
  await m.createTable(
    'lead',
    {
      lead_id: id(),
      first_name: text(255).default(''),
      last_name: text(255).default(''),
      email: text(254).default(''),
      email_key: key(254).nullable().unique(),
      phone: text(32).default(''),
      company_name: text(255).default(''),
      status: choice('new', 'contacted', 'qualified', 'unqualified', 'converted').default('new'),
      source: text(255),
      score: int().default(0),
      assigned_to: ref('technician.user_id').nullable(),
      form_type: text(255).default(''),
      raw_payload: json(z.unknown()),
      contact_id: ref('crm_contact.contact_id').nullable(),
      prospect_id: ref('prospect.prospect_id').nullable(),
      opportunity_id: ref('opportunity.opportunity_id').nullable(),
      converted_at: when().nullable(),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [
      ['created_at', 'lead_id', 'deleted_at'],
      ['status', 'created_at', 'lead_id', 'deleted_at'],
      ['source', 'created_at', 'lead_id', 'deleted_at'],
      ['assigned_to', 'created_at', 'lead_id', 'deleted_at'],
      ['score', 'created_at', 'lead_id', 'deleted_at'],
      ['updated_at', 'lead_id', 'status', 'deleted_at'],
      ['first_name', 'lead_id', 'status', 'deleted_at'],
      ['last_name', 'lead_id', 'status', 'deleted_at'],
      ['email', 'lead_id', 'status', 'deleted_at'],
      ['company_name', 'lead_id', 'status', 'deleted_at'],
      ['contact_id'],
      ['prospect_id'],
      ['opportunity_id'],
    ],
  );
  await m.createTable('lead_count', {
    status: text(40).primary(),
    n: int(),
  });
  await m.createTable('lead_count_month', {
    status: text(40).primary(),
    month: key(7).primary(),
    n: int(),
  });
  await m.createTable('lead_count_day', {
    day: day().primary(),
    n: int(),
  });
  await m.createTable('lead_count_delta', {
    delta_id: id(),
    status: text(40),
    day: day(),
    n: int(),
  });
}

async function createActivities(m: Migrator): Promise<void> {
  await m.createTable(
    'crm_activity',
    {
      activity_id: id(),
      type: choice('call', 'email', 'meeting', 'task', 'note'),
      subject: text(255),
      description: text().default(''),
      entity_type: choice('lead', 'contact', 'opportunity', 'prospect'),
      entity_id: int(),
      assigned_to: ref('technician.user_id').nullable(),
      due_date: when().nullable(),
      duration_minutes: int().nullable(),
      completed: flag().default(false),
      completed_at: when().nullable(),
      created_by: text(255),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [
      ['created_at', 'activity_id', 'deleted_at'],
      ['entity_type', 'entity_id', 'created_at', 'activity_id', 'deleted_at'],
      ['entity_type', 'created_at', 'activity_id', 'deleted_at'],
      ['type', 'created_at', 'activity_id', 'deleted_at'],
      ['assigned_to', 'created_at', 'activity_id', 'deleted_at'],
      ['completed', 'created_at', 'activity_id', 'deleted_at'],
      ['completed', 'due_date', 'deleted_at'],
    ],
  );
  await m.createTable('crm_activity_count', {
    entity_type: text(40).primary(),
    type: text(40).primary(),
    completed: flag().primary(),
    n: int(),
  });
  await m.createTable('crm_activity_count_delta', {
    delta_id: id(),
    entity_type: text(40),
    type: text(40),
    completed: flag(),
    n: int(),
  });
}

async function createNotes(m: Migrator): Promise<void> {
  await m.createTable(
    'crm_note',
    {
      note_id: id(),
      entity_type: choice('lead', 'contact', 'opportunity', 'prospect'),
      entity_id: int(),
      content: text(),
      is_pinned: flag().default(false),
      created_by: text(255),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [
      ['created_at', 'note_id', 'deleted_at'],
      ['entity_type', 'entity_id', 'is_pinned', 'created_at', 'note_id', 'deleted_at'],
      ['entity_type', 'is_pinned', 'created_at', 'note_id', 'deleted_at'],
    ],
  );
  await m.createTable('crm_note_count', {
    entity_type: text(40).primary(),
    is_pinned: flag().primary(),
    n: int(),
  });
  await m.createTable('crm_note_count_delta', {
    delta_id: id(),
    entity_type: text(40),
    is_pinned: flag(),
    n: int(),
  });
}

async function createCustomFields(m: Migrator): Promise<void> {
  await m.createTable(
    'custom_field',
    {
      field_id: id(),
      entity_type: choice('lead', 'contact', 'opportunity', 'prospect'),
      field_key: text(64),
      live_key: key(64).nullable(),
      label: text(255),
      field_type: choice('text', 'textarea', 'number', 'date', 'boolean', 'select', 'multiselect', 'email', 'url'),
      options: json(z.unknown()),
      required: flag().default(false),
      default_value: json(z.unknown()).nullable(),
      sort_order: int().default(0),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [],
    { unique: [['entity_type', 'live_key']] },
  );
  await m.createTable('custom_field_value', {
    field_id: ref('custom_field.field_id').primary(),
    entity_id: int().primary(),
    value: json(z.unknown()),
  });
}

async function createWords(m: Migrator): Promise<void> {
  await m.createTable(
    'crm_word',
    {
      word: key(64).primary(),
      entity_type: choice('lead', 'contact', 'opportunity', 'prospect').primary(),
      entity_id: int().primary(),
      main: flag(),
    },
    [['entity_type', 'entity_id']],
  );
  await m.createTable('crm_word_end', {
    ending: key(64).primary(),
    word: key(64).primary(),
  });
}
