// Imports of people: by IT admins for their own company, by technicians for any.
import { param, z, type Admin, type Context, type EmployeeActor } from '@keelson/core';
import {
  importReading,
  ImportResult,
  importRows,
  previewImport,
  readImport,
  type ImportInput,
} from '@keelson/core/files';
import type { Employee } from '../entities/employee.ts';
import { storeEmployees } from './employee-batch.ts';
import { checkColleague } from './employee-edit.ts';
import { checkGranted } from './granted.ts';
import { contactColumns, ContactRow, employeeColumns, EmployeeRow, splitName } from './employee-fields.ts';
import { withNumbers } from '../import-names.ts';

const colleagues = {
  columns: employeeColumns,
  lists: ['employees'],
  options: z.object({ update_existing: param.flag() }),
};
const contacts = {
  columns: contactColumns,
  lists: ['contacts', 'employees'],
  derive: splitName,
  options: z.object({ update_existing: param.flag(), dry_run: param.flag(), company_number: param.id() }),
};
/** Options of a contact import besides the file. */
export const contactOptions = contacts.options.extend(importReading);

export const previewContacts = (uploads: ImportInput['uploads']) => previewImport(contactColumns, uploads);

/** Imports people of the caller's company. Opens one transaction per batch. */
export async function importColleagues(ctx: Context<EmployeeActor>, input: ImportInput): Promise<ImportResult> {
  const file = await readImport(colleagues, input);
  const { update_existing = false } = file.options;
  const { company_number } = ctx.actor;
  const refuse = (before: Employee | undefined, wanted: EmployeeRow) => before && checkColleague(ctx, before, wanted);
  const options = { company_number, fixedCompany: true, update_existing, refuse };
  return importRows(ctx, file, EmployeeRow, (rows) => storeEmployees(ctx, rows, options));
}

/** The result of a contact import. `dry_run` means that nothing was stored. */
export const ContactImportResult = ImportResult.extend({ dry_run: z.boolean() });

/** Imports people of the companies named in the rows or in the options. */
export async function importContacts(ctx: Context<Admin>, input: ImportInput) {
  const file = await readImport(contacts, input);
  const { update_existing = false, dry_run = false, company_number } = file.options;
  const options = {
    company_number,
    fixedCompany: false,
    update_existing,
    refuse: (before: Employee | undefined, wanted: EmployeeRow) => checkGranted(ctx, before, wanted),
    ...(dry_run && { judged: new Map() }),
  };
  const result = await importRows(ctx, file, ContactRow, async (named) => {
    const { rows, errors } = await withNumbers(ctx, named, company_number);
    const stored = await storeEmployees(ctx, rows, options);
    return { ...stored, errors: [...errors, ...stored.errors] };
  });
  return { ...result, dry_run };
}
