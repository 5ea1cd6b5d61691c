import { created, helpdesk, input, item, itAdmin, list, param, signedIn, z } from '@keelson/core';
import { ImportPreview, importTemplate, ImportTemplate } from '@keelson/core/files';
import {
  Colleague,
  ColleagueDetail,
  Contact,
  EmployeeDetail,
  EmployeeOption,
  listColleagues,
  listOptions,
  readColleague,
  readContact,
} from '../../employees/employee-detail.ts';
import { addEmployee, editColleague } from '../../employees/employee-edit.ts';
import { employeeColumns, employeeFields } from '../../employees/employee-fields.ts';
import {
  colleagueOptions,
  ContactImportResult,
  importColleagues,
  previewColleagues,
} from '../../employees/employee-import.ts';
import { findColleague } from '../../employees/employees.ts';

export default [
  helpdesk.get('/employees', {
    title: 'List employees',
    access: signedIn,
    query: helpdesk.paging({
      search: param.search(),
      status: Contact.query.status,
      department: Contact.query.department,
    }),
    returns: list(Colleague, 'employees'),
    handle: (ctx, { query }) => listColleagues(ctx, query),
  }),
  helpdesk.get('/employees/options', {
    title: 'List employees for selection',
    access: signedIn,
    query: helpdesk.paging({ search: param.search() }, { whole: true }),
    returns: list(EmployeeOption, 'options'),
    handle: (ctx, { query }) => listOptions(ctx, query),
  }),
  helpdesk.get('/employees/template', {
    title: 'Read the template for new employees',
    access: itAdmin,
    returns: item(ImportTemplate),
    handle: () => importTemplate(employeeColumns),
  }),
  helpdesk.get('/employees/{id}', {
    title: 'Read an employee',
    access: signedIn,
    returns: item(ColleagueDetail),
    load: (ctx, { id }) => findColleague(ctx, id),
    handle: (ctx, { item: employee }) => readColleague(ctx, employee),
  }),
  helpdesk.post('/employees', {
    title: 'Create an employee',
    access: itAdmin,
    body: z.object(employeeFields),
    returns: created(EmployeeDetail),
    slow: true,
    handle: async (ctx, { body }) =>
      readContact(ctx, await addEmployee(ctx, { ...body, company_number: ctx.actor.company_number })),
  }),
  helpdesk.put('/employees/{id}', {
    title: 'Update an employee',
    access: itAdmin,
    body: input.changes(employeeFields),
    returns: item(EmployeeDetail),
    slow: true,
    load: (ctx, { id }) => findColleague(ctx, id),
    handle: async (ctx, { item: employee, body }) => readContact(ctx, await editColleague(ctx, employee, body)),
  }),
  helpdesk.post('/employees/import', {
    title: 'Import employees',
    access: itAdmin,
    upload: 'import',
    // A dry run stores nothing to log.
    unlogged: true,
    query: colleagueOptions,
    returns: item(ContactImportResult),
    slow: true,
    handle: (ctx, { uploads, body: fields, query }) => importColleagues(ctx, { uploads, fields, query }),
  }),
  helpdesk.post('/employees/import-preview', {
    title: 'Look at a file of employees',
    addition: true,
    access: itAdmin,
    upload: 'import',
    unlogged: true,
    returns: item(ImportPreview),
    slow: true,
    handle: (_ctx, { uploads }) => previewColleagues(uploads),
  }),
];
