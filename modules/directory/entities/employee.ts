import { choice, counted, statistic, flag, id, int, key, ref, table, text, when, type Row } from '@keelson/core';
import { languageColumn } from '@keelson/core/plugin';
import { Company } from './company.ts';
import { Site } from './site.ts';

export const employeeStatuses = ['Active', 'Inactive'] as const;
export const assetEdits = ['None', 'Read Only', 'Modify'] as const;

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
    title: text(255).default('').titled('Job title'),
    department: text(255).default(''),
    language: languageColumn(),
    status: choice(...employeeStatuses).default('Active'),
    ismgr: flag().default(false),
    it_privileges: flag().default(false),
    can_create_tickets: flag().default(true),
    can_view_billing: flag().default(false),
    asset_edit: choice(...assetEdits).default('None'),
    /** Added by a prospect conversion: inactive until a technician activates them (C-17). */
    awaits_technician: flag().default(false).hidden(),
    password_hash: key(255).nullable().hidden(),
    /** Sessions and tokens carry the version they were created under. Increasing it ends them all at once (M-36). */
    access_version: int().default(1).hidden(),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  // Lists are sorted by name (P-11), for one company or all, with one status or any.
  [
    ['company_number', 'last_name', 'first_name', 'employee_number', 'deleted_at'],
    ['company_number', 'status', 'last_name', 'first_name', 'employee_number', 'deleted_at'],
    ['last_name', 'first_name', 'employee_number', 'deleted_at'],
    ['status', 'last_name', 'first_name', 'employee_number', 'deleted_at'],
    ['department', 'company_number', 'status', 'deleted_at'],
    ['site_number', 'deleted_at'],
  ],
);
export type Employee = Row<typeof Employee>;

/** Counts people by company, status and department. */
export const EmployeeCount = counted({
  of: Employee,
  dimensions: ['company_number', 'status', 'department'],
  statistics: [statistic(Company, 'contact_count')],
});

/** Counts people by site. */
export const SiteEmployeeCount = counted({
  of: Employee,
  dimensions: ['site_number'],
  statistics: [statistic(Site, 'employee_count')],
});
