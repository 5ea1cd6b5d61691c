import { z } from '@keelson/core';
import { assetEdits, employeeStatuses } from './entities/employee.ts';

const person = {
  employee_number: z.int(),
  company_number: z.int(),
  company_name: z.string(),
  site_number: z.int().nullable(),
  site_name: z.string().nullable(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone: z.string(),
  mobile: z.string(),
  title: z.string(),
  department: z.string(),
  status: z.enum(employeeStatuses),
};
const times = { created_at: z.iso.datetime(), updated_at: z.iso.datetime() };
const rights = {
  ismgr: z.boolean(),
  it_privileges: z.boolean(),
  can_create_tickets: z.boolean(),
  can_view_billing: z.boolean(),
  asset_edit: z.enum(assetEdits),
};
const detail = {
  manager_groups: z.array(z.object({ code: z.string(), name: z.string(), role: z.enum(['manager', 'member']) })),
  assets: z.array(z.object({ asset_id: z.int(), machine_name: z.string() })),
  open_tickets: z.int(),
};

/** Technicians see everything (F-01). */
export const Contact = z.object({ ...person, contact_id: z.int(), ...rights, ...times });
export type Contact = z.input<typeof Contact>;
export const ContactDetail = Contact.extend(detail);

/** Colleagues see each other; what one may do, only IT admins see (Z-12). */
export const Colleague = z.object({ ...person, ...z.object(rights).partial().shape, ...times });
export type Colleague = z.input<typeof Colleague>;
export const ColleagueDetail = Colleague.extend(detail);
/** As an IT admin is answered. */
export const EmployeeDetail = z.object({ ...person, ...rights, ...times, ...detail });

export const EmployeeOption = z.object({ value: z.int(), label: z.string(), employee_number: z.int() });
export type EmployeeOption = z.input<typeof EmployeeOption>;

/** What one action did to each of many contacts. */
export const BulkContacts = z.object({
  action: z.enum(['update', 'import']),
  requested: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  results: z.array(
    z.object({
      /** Null for a contact that an import could not create. */
      employee_number: z.int().nullable(),
      /** The place in an import's list, from 1. */
      row: z.int().optional(),
      success: z.boolean(),
      error: z.string().optional(),
    }),
  ),
});
export type BulkContacts = z.input<typeof BulkContacts>;
