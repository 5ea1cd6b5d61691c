import { z } from '@keelson/core';

const Person = z.object({
  employee_number: z.int(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
});

export const Group = z.object({
  code: z.string(),
  name: z.string(),
  description: z.string(),
  require_approval: z.boolean(),
  approval_job_types: z.array(z.string()),
  manager_count: z.int(),
  member_count: z.int(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

export const GroupDetail = Group.extend({ managers: z.array(Person), members: z.array(Person) });

/** Whom a group gained; the record stays as it was when the person was there already (D-09). */
export const GroupPerson = Person.extend({ code: z.string(), role: z.enum(['manager', 'member']) });

export const AvailableEmployee = Person.extend({ department: z.string(), title: z.string() });

export const ModuleMap = z.record(z.string(), z.boolean());
