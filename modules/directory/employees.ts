import {
  changed,
  changesBetween,
  DuplicateKey,
  duplicate,
  normalised,
  type Context,
  type New,
  type Row,
} from '@keelson/core';
import { Employee } from './entities/employee.ts';
import { EmployeeNames } from './names.ts';

export type NewEmployee = Omit<
  New<typeof Employee>,
  'email_key' | 'access_version' | 'created_at' | 'updated_at' | 'deleted_at'
>;

/** Adds a customer's person; the e-mail address is the login name, so it must be free in the whole tenant (D-02). */
export async function createEmployee(ctx: Context, values: NewEmployee): Promise<Row<typeof Employee>> {
  const row = {
    ...values,
    can_view_billing: values.can_view_billing ?? (values.ismgr || values.it_privileges || false),
    email_key: normalised(values.email),
    created_at: ctx.now,
    updated_at: ctx.now,
  };
  const employeeNumber = await ctx.db.insert(Employee, row).catch((error: unknown) => {
    if (error instanceof DuplicateKey) throw duplicate('email is already in use');
    throw error;
  });
  ctx.record({
    action: 'create',
    entity_type: 'contact',
    entity_id: employeeNumber,
    description: `Contact ${values.first_name} ${values.last_name} created`,
  });
  const employee = await ctx.db.one(Employee, { employee_number: employeeNumber });
  if (!employee) throw new Error(`Employee ${employeeNumber} is missing right after its insert`);
  return employee;
}

export type EmployeeChanges = Partial<Omit<NewEmployee, 'company_number' | 'password_hash' | 'email'>>;

/** Changes an employee's fields; answers the row as it is then. A change of nothing changes nothing (V-16). */
export async function updateEmployee(
  ctx: Context,
  before: Row<typeof Employee>,
  wanted: EmployeeChanges,
): Promise<Row<typeof Employee>> {
  const { employee_number } = before;
  const changes = changesBetween(before, { ...before, ...wanted });
  if (Object.keys(changes).length === 0) return before;
  const set = { ...wanted, updated_at: ctx.now };
  await ctx.db.update(Employee, { employee_number }, set);
  ctx.record({
    action: 'update',
    entity_type: 'contact',
    entity_id: employee_number,
    description: `Contact ${before.first_name} ${before.last_name} changed`,
    changes,
  });
  changed(ctx, Employee);
  if (ctx.tx) await ctx.app.names.changed(ctx.tx, EmployeeNames, employee_number);
  return { ...before, ...set };
}
