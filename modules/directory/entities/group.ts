import { choice, flag, id, json, key, ref, table, text, when, z } from '@keelson/core';
import { Company } from './company.ts';
import { Employee } from './employee.ts';

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
    /** Job types that need approval; empty means all (F-03). */
    approval_job_types: json(z.array(z.string())),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [
    ['company_number', 'name', 'group_id', 'deleted_at'],
    ['name', 'group_id', 'deleted_at'],
  ],
  { unique: [['company_number', 'code_key']] },
);

/** A person's place in a group. No one is both manager and member (D-10), so the role is not part of the key. */
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
