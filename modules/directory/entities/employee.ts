import { choice, flag, id, int, key, ref, table, text, when } from '@keelson/core';
import { Company } from './company.ts';
import { Site } from './site.ts';

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
