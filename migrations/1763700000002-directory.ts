// The directory's tables as they were at first. Later changes are migrations of their own.
import { z } from 'zod';
import { migration, type Migrator } from '../core/database/migrate.ts';
import { choice, flag, id, int, json, key, ref, text, when } from '../core/database/table.ts';

export default migration('1763700000002-directory', async (m) => {
  await createCompanies(m);
  await createEmployees(m);
  await createTechnicians(m);
  await createManagerGroups(m);
});

async function createCompanies(m: Migrator): Promise<void> {
  await m.createTable(
    'company',
    {
      company_number: id(),
      customer: text(255),
      customer_key: key().nullable().unique(),
      address: text(255).default(''),
      city: text(255).default(''),
      state: text(255).default(''),
      zip: text(32).default(''),
      country: text(255).default(''),
      phone: text(32).default(''),
      email: text(254).default(''),
      website: text(2048).default(''),
      industry: text(255).default(''),
      notes: text().default(''),
      status: choice('active', 'inactive').default('active'),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [
      ['status', 'customer', 'company_number'],
      ['customer', 'company_number'],
    ],
  );
  await m.createTable(
    'site',
    {
      site_number: id(),
      company_number: ref('company.company_number'),
      site_name: text(255),
      site_key: key().nullable(),
      address: text(255).default(''),
      city: text(255).default(''),
      state: text(255).default(''),
      zip: text(32).default(''),
      country: text(255).default(''),
      phone: text(32).default(''),
      status: choice('active', 'inactive').default('active'),
      is_primary: flag().default(false),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [],
    { unique: [['company_number', 'site_key']] },
  );
}

async function createEmployees(m: Migrator): Promise<void> {
  await m.createTable(
    'employee',
    {
      employee_number: id(),
      company_number: ref('company.company_number'),
      site_number: ref('site.site_number').nullable(),
      first_name: text(255),
      last_name: text(255),
      email: text(254),
      email_key: key(254).nullable().unique(),
      phone: text(32).default(''),
      mobile: text(32).default(''),
      title: text(255).default(''),
      department: text(255).default(''),
      status: choice('Active', 'Inactive').default('Active'),
      ismgr: flag().default(false),
      it_privileges: flag().default(false),
      can_create_tickets: flag().default(true),
      can_view_billing: flag().default(false),
      asset_edit: choice('None', 'Read Only', 'Modify').default('None'),
      password_hash: key(255).nullable(),
      access_version: int().default(1),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [['company_number', 'status', 'last_name']],
  );
}

async function createTechnicians(m: Migrator): Promise<void> {
  await m.createTable('technician', {
    user_id: id(),
    name: text(255),
    email: text(254),
    email_key: key(254).nullable().unique(),
    role: choice('administrator', 'technician').default('technician'),
    active: flag().default(true),
    password_hash: key(255).nullable(),
    access_version: int().default(1),
    busy: flag().default(false),
    last_activity_at: when().nullable(),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable(),
  });
}

async function createManagerGroups(m: Migrator): Promise<void> {
  await m.createTable(
    'manager_group',
    {
      group_id: id(),
      company_number: ref('company.company_number'),
      code: text(32),
      code_key: key(32).nullable(),
      name: text(255),
      description: text().default(''),
      require_approval: flag().default(true),
      approval_job_types: json(z.array(z.string())),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [],
    { unique: [['company_number', 'code_key']] },
  );
  await m.createTable(
    'manager_group_person',
    {
      group_id: ref('manager_group.group_id').primary(),
      employee_number: ref('employee.employee_number').primary(),
      role: choice('manager', 'member'),
      created_at: when(),
    },
    [['employee_number', 'role', 'group_id']],
  );
}
