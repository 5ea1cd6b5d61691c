import { admin, all, created, input, item, list, nothing, pageOf, remove, show, showOne, z } from '@keelson/core';
import { ImportPreview } from '@keelson/core/files';
import { addAddress, ContactAddress, listAddresses, removeAddress } from '../../employees/addresses.ts';
import { BulkContacts, changeContacts } from '../../employees/employee-bulk.ts';
import { Contact, ContactDetail, readContact } from '../../employees/employee-detail.ts';
import { addContact, editContact } from '../../employees/employee-edit.ts';
import { employeeFields, EmployeeRow, placeAndRights } from '../../employees/employee-fields.ts';
import {
  ContactImportResult,
  contactOptions,
  importContacts,
  previewContacts,
} from '../../employees/employee-import.ts';
import { Employees, findEmployee } from '../../employees/employees.ts';
import { AccessContacts, ReadContacts, WriteContacts } from '../../permissions.ts';

/** Excludes fields that are unique to each person. */
const { phone, mobile, title } = employeeFields;
const bulkFields = { phone, mobile, title, ...placeAndRights };

export default [
  admin.get('/contacts.php', {
    title: 'List contacts',
    access: ReadContacts,
    query: admin.paging(Contact.query),
    returns: list(Contact),
    handle: (ctx, { query }) => pageOf(ctx, Contact, query),
  }),
  admin.post('/contacts.php', {
    title: 'Create a contact',
    access: WriteContacts,
    body: z.object({ company_number: input.id(), ...employeeFields }),
    returns: created(ContactDetail),
    slow: true,
    handle: async (ctx, { body }) => readContact(ctx, await addContact(ctx, body)),
  }),
  admin.get('/contacts.php?id={id}', {
    title: 'Read a contact',
    access: ReadContacts,
    returns: item(ContactDetail),
    load: (ctx, { id }) => findEmployee(ctx, id),
    handle: (ctx, { item: contact }) => readContact(ctx, contact),
  }),
  admin.put('/contacts.php?id={id}', {
    title: 'Update a contact',
    access: WriteContacts,
    body: input.changes({ company_number: input.optional(input.id()), ...employeeFields }),
    returns: item(ContactDetail),
    slow: true,
    load: (ctx, { id }) => findEmployee(ctx, id),
    handle: async (ctx, { item: contact, body }) => readContact(ctx, await editContact(ctx, contact, body)),
  }),
  admin.delete('/contacts.php?id={id}', {
    title: 'Delete a contact',
    access: WriteContacts,
    returns: nothing(),
    load: (ctx, { id }) => findEmployee(ctx, id),
    handle: (ctx, { item: contact }) => remove(ctx, Employees, contact),
  }),
  admin.get('/contacts.php?action=addresses&id={id}', {
    title: 'List a contact’s additional email addresses',
    addition: true,
    access: ReadContacts,
    returns: all(ContactAddress),
    load: (ctx, { id }) => findEmployee(ctx, id),
    handle: async (ctx, { item: { employee_number } }) =>
      show(ctx, ContactAddress, await listAddresses(ctx, employee_number)),
  }),
  admin.post('/contacts.php?action=addresses&id={id}', {
    title: 'Add an email address to a contact',
    addition: true,
    access: AccessContacts,
    body: z.object({ email: input.email() }),
    returns: created(ContactAddress),
    load: (ctx, { id }) => findEmployee(ctx, id),
    handle: async (ctx, { item: contact, body: { email } }) =>
      showOne(ctx, ContactAddress, await addAddress(ctx, contact, email)),
  }),
  admin.delete('/contacts.php?action=addresses&id={id}&address_id={address_id}', {
    title: 'Remove an email address from a contact',
    addition: true,
    access: AccessContacts,
    returns: nothing(),
    load: (ctx, { id }) => findEmployee(ctx, id),
    handle: (ctx, { item: contact, params: { address_id } }) => removeAddress(ctx, contact, address_id),
  }),
  admin.post('/contacts.php?action=import', {
    title: 'Import contacts',
    access: WriteContacts,
    upload: 'import',
    // A dry run stores nothing to log.
    unlogged: true,
    query: contactOptions,
    returns: item(ContactImportResult),
    slow: true,
    handle: (ctx, { uploads, body: fields, query }) => importContacts(ctx, { uploads, fields, query }),
  }),
  admin.post('/contacts.php?action=import-preview', {
    title: 'Preview a contact import',
    addition: true,
    access: WriteContacts,
    upload: 'import',
    unlogged: true,
    returns: item(ImportPreview),
    slow: true,
    handle: (_ctx, { uploads }) => previewContacts(uploads),
  }),
  admin.post('/bulk/contacts.php', {
    title: 'Bulk-update or import contacts',
    operationId: 'bulkUpdateContacts',
    access: WriteContacts,
    body: z.object({
      action: input.choice(['update', 'import']),
      employee_numbers: input.ids().optional(),
      fields: z.object(bulkFields).partial().optional(),
      contacts: z.array(EmployeeRow).min(1).max(500).optional(),
      company_number: input.optional(input.id()),
      update_existing: input.optional(input.flag()),
    }),
    returns: item(BulkContacts),
    slow: true,
    handle: (ctx, { body }) => changeContacts(ctx, body),
  }),
];
