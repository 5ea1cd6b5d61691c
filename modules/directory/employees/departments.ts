// The departments available as a contact filter: those of the list, and others in use (D-21).
import { normalised, readDropdown, type Context } from '@keelson/core';
import { readCounts } from '@keelson/core/list';
import { tokenHash } from '@keelson/core/system';
import { Departments } from '../dropdowns.ts';
import { EmployeeCount } from '../entities/employee.ts';

interface Department {
  readonly department_id: number;
  readonly name: string;
  readonly employee_count: number;
}

/** Lists the departments by name, with the number of people in each. */
export async function listDepartments(ctx: Context): Promise<Department[]> {
  const found = new Map<string, Department>();
  for (const { id, value, active } of await readDropdown(ctx, Departments))
    if (active) found.set(normalised(value), { department_id: id, name: value, employee_count: 0 });
  for (const [name, n] of await readCounts(ctx.db, EmployeeCount, 'department')) {
    const key = normalised(name);
    if (key === '') continue;
    const known = found.get(key) ?? { department_id: unlistedId(key), name, employee_count: 0 };
    found.set(key, { ...known, employee_count: known.employee_count + n });
  }
  return [...found.values()].toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** Derives a stable id from the name, above all ids of the list. */
function unlistedId(key: string): number {
  return 2 ** 30 + Number.parseInt(tokenHash(key).slice(0, 7), 16);
}
