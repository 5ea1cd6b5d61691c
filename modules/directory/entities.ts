import { choice, flag, id, int, json, key, ref, table, text, when, z } from '@keelson/core';

// Columns named *_key hold the normalised value a unique rule compares; they are emptied when the row is deleted, so that
// a name or address can be used again (V-25, V-27).

export const Company = table(
  'company',
  {
    company_number: id(),
    customer: text(255),
    customer_key: key().nullable().unique().hidden(),
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
    deleted_at: when().nullable().hidden(),
  },
  [
    ['status', 'customer', 'company_number'],
    ['customer', 'company_number'],
  ],
);

export const Site = table(
  'site',
  {
    site_number: id(),
    company_number: ref(Company),
    site_name: text(255),
    site_key: key().nullable().hidden(),
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
    deleted_at: when().nullable().hidden(),
  },
  [],
  { unique: [['company_number', 'site_key']] },
);

/** A customer's person: "employee" on the helpdesk surface, "contact" on the administrative one (N-07). */
export const Employee = table(
  'employee',
  {
    employee_number: id(),
    company_number: ref(Company),
    site_number: ref(Site).nullable(),
    first_name: text(255),
    last_name: text(255),
    email: text(254),
    email_key: key(254).nullable().unique().hidden(),
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
    password_hash: key(255).nullable().hidden(),
    /** Sessions and tokens carry the number they were made under; a higher one here ends them all at once (M-36). */
    access_version: int().default(1).hidden(),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [['company_number', 'status', 'last_name']],
);

/** A member of the provider's staff (NW-01). */
export const Technician = table('technician', {
  user_id: id(),
  name: text(255),
  email: text(254),
  email_key: key(254).nullable().unique().hidden(),
  role: choice('administrator', 'technician').default('technician'),
  active: flag().default(true),
  password_hash: key(255).nullable().hidden(),
  access_version: int().default(1).hidden(),
  /** What the technician set by hand; the rest follows from the last request (D-22). */
  busy: flag().default(false),
  last_activity_at: when().nullable(),
  created_at: when(),
  updated_at: when(),
  deleted_at: when().nullable().hidden(),
});

export const ManagerGroup = table(
  'manager_group',
  {
    group_id: id(),
    company_number: ref(Company),
    code: text(32),
    code_key: key(32).nullable().hidden(),
    name: text(255),
    description: text().default(''),
    require_approval: flag().default(true),
    /** Job types that need approval; none named means all of them (F-03). */
    approval_job_types: json(z.array(z.string())),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [],
  { unique: [['company_number', 'code_key']] },
);

/** Who is in a group; nobody is both manager and member of one (D-10), so the role is not part of the key. */
export const ManagerGroupPerson = table(
  'manager_group_person',
  {
    group_id: ref(ManagerGroup).primary(),
    employee_number: ref(Employee).primary(),
    role: choice('manager', 'member'),
    created_at: when(),
  },
  [['employee_number', 'role', 'group_id']],
);
