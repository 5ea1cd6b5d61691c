// Changes to one person by IT admins and technicians. Passwords are hashed before the transaction begins.
import { invalid, type Admin, type Context, type EmployeeActor } from '@keelson/core';
import type { Employee } from '../entities/employee.ts';
import { newHash, storeEmployeePassword } from '../sign-in/passwords.ts';
import { createEmployee, findEmployee, updateEmployee, type EmployeeChanges, type NewEmployee } from './employees.ts';
import { checkGranted } from './granted.ts';

type Password = { readonly password?: string | undefined };
type Edit = EmployeeChanges & Password & { readonly company_number?: number | undefined };

/** Adds a person, who can sign in immediately if a password is given. Opens its own transaction. */
export async function addEmployee(ctx: Context, { password, ...values }: NewEmployee & Password): Promise<Employee> {
  const password_hash = password === undefined ? null : await newHash(ctx, password, values);
  return ctx.transaction((inside) => createEmployee(inside, { ...values, password_hash }));
}

/**
 * Changes a person. A new password ends their sessions. Opens its own transaction.
 * @throws notFound; invalid() for a change of company, because the person's tickets would stay behind (as D-20)
 */
export async function editEmployee(
  ctx: Context,
  employee: Employee,
  { password, company_number, ...wanted }: Edit,
): Promise<Employee> {
  const { employee_number } = employee;
  if (company_number !== undefined && company_number !== employee.company_number)
    throw invalid('company_number cannot be changed');
  const email = wanted.email ?? employee.email;
  const hash = password === undefined ? undefined : await newHash(ctx, password, { email });
  return ctx.transaction(async (inside) => {
    const after = await updateEmployee(inside, await findEmployee(inside, employee_number), wanted);
    if (hash === undefined) return after;
    await storeEmployeePassword(inside, after, hash);
    return findEmployee(inside, employee_number);
  });
}

/** Adds a contact. @throws forbidden() as checkGranted does */
export async function addContact(ctx: Context<Admin>, wanted: NewEmployee & Password): Promise<Employee> {
  checkGranted(ctx, undefined, wanted);
  return addEmployee(ctx, wanted);
}

/** Changes a contact. @throws forbidden() as checkGranted does */
export async function editContact(ctx: Context<Admin>, contact: Employee, wanted: Edit): Promise<Employee> {
  checkGranted(ctx, contact, wanted);
  return editEmployee(ctx, contact, wanted);
}

/** Changes a colleague on behalf of an IT admin. @throws as checkColleague does */
export async function editColleague(
  ctx: Context<EmployeeActor>,
  colleague: Employee,
  wanted: EmployeeChanges & Password,
): Promise<Employee> {
  checkColleague(ctx, colleague, wanted);
  return editEmployee(ctx, colleague, wanted);
}

/**
 * Checks an IT admin's change of a colleague.
 * @throws invalid() when they would lose their own rights (D-04), or activate a person added by a CRM key (C-17)
 */
export function checkColleague(
  { actor }: Context<EmployeeActor>,
  { employee_number, awaits_technician }: Employee,
  { it_privileges, status }: EmployeeChanges,
): void {
  if (awaits_technician && status === 'Active')
    throw invalid('status of a converted prospect’s contact can be set to Active only by a technician');
  if (employee_number !== actor.employee_number) return;
  if (it_privileges === false) throw invalid('it_privileges cannot be removed from your own account');
  if (status === 'Inactive') throw invalid('status of your own account must stay Active');
}
