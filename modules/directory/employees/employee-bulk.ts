// Bulk action on up to 500 contacts: the same change for all, or a list to import. Each contact succeeds or
// fails on its own.
import { changeAll, In, invalid, IsNull, lockAll, normalised, z, type Admin, type Context } from '@keelson/core';
import type { RowError } from '@keelson/core/files';
import { Employee } from '../entities/employee.ts';
import { Site } from '../entities/site.ts';
import { managersAmong } from '../groups/memberships.ts';
import { storeEmployees } from './employee-batch.ts';
import { MOST_PASSWORDS, type EmployeeRow } from './employee-fields.ts';
import { Employees, MANAGES, type EmployeeChanges } from './employees.ts';
import { checkGranted } from './granted.ts';

/** The result of a bulk action for each contact. */
export const BulkContacts = z.object({
  action: z.enum(['update', 'import']),
  requested: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  results: z.array(
    z.object({
      /** Null for a contact that an import could not create. */
      employee_number: z.int().nullable(),
      /** The position in an import's list, from 1. */
      row: z.int().optional(),
      success: z.boolean(),
      error: z.string().optional(),
    }),
  ),
});
export type BulkContacts = z.input<typeof BulkContacts>;

export interface BulkContactsRequest {
  readonly action: 'update' | 'import';
  readonly employee_numbers?: readonly number[] | undefined;
  readonly fields?: EmployeeChanges | undefined;
  readonly contacts?: readonly EmployeeRow[] | undefined;
  readonly company_number?: number | undefined;
  readonly update_existing?: boolean | undefined;
}

/** Applies a bulk action. Opens its own transaction. @throws invalid() when a parameter of the action is missing */
export async function changeContacts(ctx: Context<Admin>, request: BulkContactsRequest): Promise<BulkContacts> {
  const { action, employee_numbers, fields, contacts } = request;
  if (action === 'import') {
    if (!contacts) throw invalid('contacts is required');
    if (contacts.filter((each) => each.password !== undefined).length > MOST_PASSWORDS)
      throw invalid(`password may be set for at most ${MOST_PASSWORDS} contacts at a time`);
    return importList(ctx, contacts, request);
  }
  if (!employee_numbers) throw invalid('employee_numbers is required');
  if (!fields) throw invalid('fields is required');
  if (Object.values(fields).every((each) => each === undefined)) throw invalid('No fields to update');
  return ctx.transaction((inside) => updateAll(inside, employee_numbers, fields));
}

async function updateAll(
  ctx: Context<Admin>,
  asked: readonly number[],
  fields: EmployeeChanges,
): Promise<BulkContacts> {
  const people = await lockAll(ctx, Employees, asked);
  const errors = new Map<number, string>();
  const managers = fields.ismgr === false ? await managersAmong(ctx, asked) : new Set<number>();
  const { site_number } = fields;
  const site = site_number ? await ctx.db.findOneBy(Site, { site_number, deleted_at: IsNull() }) : undefined;
  for (const person of people) {
    const { employee_number, company_number } = person;
    checkGranted(ctx, person, fields);
    if (site_number && site?.company_number !== company_number)
      errors.set(employee_number, 'site_number must be a site of the company');
    else if (managers.has(employee_number)) errors.set(employee_number, MANAGES);
  }
  const good = people.filter((each) => !errors.has(each.employee_number));
  await changeAll(ctx, Employees, good, fields);
  const done = new Set(good.map((each) => each.employee_number));
  const results = asked.map((employee_number) =>
    done.has(employee_number)
      ? { employee_number, success: true }
      : { employee_number, success: false, error: errors.get(employee_number) ?? 'Employee not found' },
  );
  return { action: 'update', ...counted(results) };
}

async function importList(
  ctx: Context<Admin>,
  contacts: readonly EmployeeRow[],
  { company_number, update_existing = false }: BulkContactsRequest,
): Promise<BulkContacts> {
  const rows = contacts.map((values, i) => ({ row: i + 1, values }));
  const refuse = (before: Employee | undefined, wanted: EmployeeRow) => checkGranted(ctx, before, wanted);
  const options = { company_number, fixedCompany: false, update_existing, refuse };
  const { errors } = await storeEmployees(ctx, rows, options);
  const failed = new Map(errors.map((each) => [each.row, each]));
  const stored = rows.filter(({ row }) => !failed.has(row)).map(({ values }) => normalised(values.email));
  const people = await ctx.db.findBy(Employee, { email_key: In([...new Set(stored)]), deleted_at: IsNull() });
  const numbers = new Map(people.map((each) => [each.email_key, each.employee_number]));
  const results = rows.map(({ row, values }) => resultOf(row, failed.get(row), numbers.get(normalised(values.email))));
  return { action: 'import', ...counted(results) };
}

function resultOf(row: number, fault: RowError | undefined, employee_number: number | undefined) {
  if (fault) return { employee_number: null, row, success: false, error: fault.error };
  return { employee_number: employee_number ?? null, row, success: true };
}

function counted<R extends { readonly success: boolean }>(results: R[]) {
  const succeeded = results.filter((each) => each.success).length;
  return { requested: results.length, succeeded, failed: results.length - succeeded, results };
}
