// The tables of the module directory.
import { z } from 'zod';
import { migration } from '../packages/database/migration/migrate.ts';
import { flag, id, int, json, key, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1763600000001-directory', async (m) => {
  await m.createTable(
    'company',
    {
      company_number: id(),
      customer: text(255),
      customer_key: key().unique().nullable(),
      address: text(255).default(''),
      city: text(255).default(''),
      state: text(255).default(''),
      zip: text(32).default(''),
      country: text(255).default(''),
      phone: text(32).default(''),
      email: text(254).default(''),
      website: text(2048).default(''),
      industry: text(255).default(''),
      notes: text(),
      status: text(40).default('active'),
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
      status: text(40).default('active'),
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
  await m.createTable(
    'site_place',
    {
      place_id: id(),
      site_number: ref('site.site_number'),
      kind: text(40),
      parent_id: int().nullable(),
      name: text(255),
      level: int().default(0),
      position: int(),
    },
    [['site_number', 'kind']],
  );
  await m.createTable(
    'employee',
    {
      employee_number: id(),
      company_number: ref('company.company_number'),
      site_number: ref('site.site_number').nullable(),
      first_name: text(255),
      last_name: text(255),
      email: text(254),
      email_key: key(254).unique().nullable(),
      phone: text(32).default(''),
      mobile: text(32).default(''),
      title: text(255).default(''),
      department: text(255).default(''),
      status: text(40).default('Active'),
      ismgr: flag().default(false),
      it_privileges: flag().default(false),
      can_create_tickets: flag().default(true),
      can_view_billing: flag().default(false),
      asset_edit: text(40).default('None'),
      awaits_technician: flag().default(false),
      password_hash: key().nullable(),
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
  await m.createTable(
    'technician',
    {
      user_id: id(),
      name: text(255),
      email: text(254),
      email_key: key(254).unique().nullable(),
      role: text(40).default('technician'),
      active: flag().default(true),
      password_hash: key().nullable(),
      access_version: int().default(1),
      busy: flag().default(false),
      last_activity_at: when().nullable(),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [['name', 'user_id', 'deleted_at']],
  );
  await m.createTable(
    'manager_group',
    {
      group_id: id(),
      company_number: ref('company.company_number'),
      code: text(32),
      code_key: key(32).nullable(),
      name: text(255),
      description: text(),
      require_approval: flag().default(true),
      approval_job_types: json(z.unknown()),
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
      role: text(40),
      created_at: when(),
    },
    [['employee_number', 'role', 'group_id']],
  );
});
