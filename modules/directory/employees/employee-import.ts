// Imports of people: by IT admins for their own company, by technicians for any.
import { itAdmin, param, z, type Admin, type Context, type EmployeeActor } from '@keelson/core';
import {
  importReading,
  ImportResult,
  importRows,
  previewImport,
  readImport,
  type ImportInput,
} from '@keelson/core/files';
import { importable, importOutcome, runImport } from '@keelson/core/record';
import type { Employee } from '../entities/employee.ts';
import { withNumbers } from '../import-names.ts';
import { WriteContacts } from '../permissions.ts';
import { storeEmployees } from './employee-batch.ts';
import { checkColleague } from './employee-edit.ts';
import {
  colleagueColumns,
  ColleagueRow,
  contactColumns,
  ContactRow,
  derivePerson,
  type EmployeeRow,
} from './employee-fields.ts';
import { Employees, updateEmployee } from './employees.ts';
import { checkGranted } from './granted.ts';

export const ContactImport = importable('contacts', Employees, {
  title: 'Contacts',
  access: WriteContacts,
  portalAccess: itAdmin,
  restore: updateEmployee,
});

const colleagues = {
  columns: colleagueColumns,
  lists: ['employees'],
  derive: derivePerson,
  options: z.object({ update_existing: param.flag(), dry_run: param.flag() }),
};
const contacts = {
  columns: contactColumns,
  lists: ['contacts', 'employees'],
  derive: derivePerson,
  options: z.object({ update_existing: param.flag(), dry_run: param.flag(), company_number: param.id() }),
};
/** Options of a contact import besides the file. */
export const contactOptions = contacts.options.extend(importReading);

/** Options of an import of colleagues besides the file. */
export const colleagueOptions = colleagues.options.extend(importReading);

export const previewColleagues = (uploads: ImportInput['uploads']) => previewImport(colleagueColumns, uploads);
export const previewContacts = (uploads: ImportInput['uploads']) => previewImport(contactColumns, uploads);

/** Imports people of the caller's company. Opens one transaction per batch. */
export async function importColleagues(ctx: Context<EmployeeActor>, input: ImportInput) {
  const file = await readImport(colleagues, input);
  const { update_existing = false, dry_run = false } = file.options;
  const { company_number } = ctx.actor;
  const refuse = (before: Employee | undefined, wanted: EmployeeRow) => before && checkColleague(ctx, before, wanted);
  const options = {
    company_number,
    fixedCompany: true,
    update_existing,
    refuse,
    ...(dry_run && { judged: new Map() }),
  };
  return runImport(ctx, ContactImport, { file, uploads: input.uploads }, (inside, watch) =>
    importRows(
      inside,
      file,
      ColleagueRow,
      async (named) => {
        const { rows, errors } = await withNumbers(inside, named, company_number);
        const stored = await storeEmployees(inside, rows, options);
        return { ...stored, errors: [...errors, ...stored.errors] };
      },
      { watch },
    ),
  );
}

/** The result of an import of people. `dry_run` means that nothing was stored. */
export const ContactImportResult = ImportResult.extend(importOutcome);

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
  return runImport(ctx, ContactImport, { file, uploads: input.uploads }, (inside, watch) =>
    importRows(
      inside,
      file,
      ContactRow,
      async (named) => {
        const { rows, errors } = await withNumbers(inside, named, company_number);
        const stored = await storeEmployees(inside, rows, options);
        return { ...stored, errors: [...errors, ...stored.errors] };
      },
      { watch },
    ),
  );
}
