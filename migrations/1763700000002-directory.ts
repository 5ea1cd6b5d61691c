// Initial directory tables. Later changes are separate migrations.
import { z } from 'zod';
import { migration, type Migrator } from '../core/database/migrate.ts';
import { choice, flag, id, int, json, key, ref, text, when, type Columns } from '../core/database/table.ts';

export default migration('1763700000002-directory', async (m) => {
  await createCompanies(m);
  await createSites(m);
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
      open_tickets: int().default(0),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [
      ['status', 'customer', 'company_number', 'deleted_at'],
      ['customer', 'company_number', 'deleted_at'],
      ['status', 'open_tickets', 'company_number', 'deleted_at'],
      ['open_tickets', 'company_number', 'deleted_at'],
    ],
  );
  await createCounter(m, 'company_count', { status: text(40) });
}

async function createSites(m: Migrator): Promise<void> {
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
    [
      ['company_number', 'site_name', 'site_number', 'deleted_at'],
      ['site_name', 'site_number', 'deleted_at'],
    ],
    { unique: [['company_number', 'site_key']] },
  );
  await createCounter(m, 'site_count', { company_number: int() });
  await m.createTable(
    'site_place',
    {
      place_id: id(),
      site_number: ref('site.site_number'),
      kind: choice('building', 'floor', 'room', 'zone'),
      parent_id: int().nullable(),
      name: text(255),
      level: int().default(0),
      position: int(),
    },
    [['site_number', 'kind']],
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
    [
      ['company_number', 'last_name', 'first_name', 'employee_number', 'deleted_at'],
      ['company_number', 'status', 'last_name', 'first_name', 'employee_number', 'deleted_at'],
      ['last_name', 'first_name', 'employee_number', 'deleted_at'],
      ['status', 'last_name', 'first_name', 'employee_number', 'deleted_at'],
      ['department', 'company_number', 'status', 'deleted_at'],
      ['site_number', 'deleted_at'],
    ],
  );
  await createCounter(m, 'employee_count', { company_number: int(), status: text(40), department: text(255) });
  await createCounter(m, 'site_employee_count', { site_number: int() });
}

async function createTechnicians(m: Migrator): Promise<void> {
  await m.createTable(
    'technician',
    {
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
    },
    [['name', 'user_id', 'deleted_at']],
  );
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
    [
      ['company_number', 'name', 'group_id', 'deleted_at'],
      ['name', 'group_id', 'deleted_at'],
    ],
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

/** Creates what counterTable() declares without a day. */
async function createCounter(m: Migrator, name: string, dimensions: Columns): Promise<void> {
  const keys = Object.fromEntries(Object.entries(dimensions).map(([each, column]) => [each, column.primary()]));
  await m.createTable(name, { ...keys, n: int() });
  await m.createTable(`${name}_delta`, { delta_id: id(), ...dimensions, n: int() });
}
