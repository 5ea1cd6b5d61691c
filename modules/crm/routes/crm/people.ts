import { created, crm, input, item, list, nothing, param, z } from '@keelson/core';
import { listContacts } from '../../contacts/contact-list.ts';
import { createContact, deleteContact, findContact, lockContact, updateContact } from '../../contacts/contacts.ts';
import { readContact } from '../../details.ts';
import { ReadContacts, WriteContacts } from '../../permissions.ts';
import { ContactShape } from '../../shapes.ts';
import { assignee, customFields } from './fields.ts';

const fields = {
  first_name: input.optionalText(255),
  last_name: input.optionalText(255),
  email: input.optionalEmail(),
  phone: input.phone(),
  mobile: input.phone(),
  title: input.optionalText(255),
  company_name: input.optionalText(255),
  tags: input.optional(z.array(input.text(64, { compared: true })).max(50)),
  prospect_id: input.clearable(input.id()),
  assigned_to: assignee(),
  custom_fields: customFields(),
};

export default [
  crm.get('/people', {
    title: 'List the CRM’s contacts',
    access: ReadContacts,
    query: crm.paging({ search: param.search(), prospect_id: param.id(), tag: param.text(64) }),
    returns: list(ContactShape),
    handle: (ctx, { query }) => listContacts(ctx, query),
  }),
  crm.post('/people', {
    title: 'Add a contact to the CRM',
    access: WriteContacts,
    body: z.object(fields),
    returns: created(ContactShape),
    handle: (ctx, { body }) => createContact(ctx, body),
  }),
  crm.get('/people/{id}', {
    title: 'Read a contact of the CRM',
    access: ReadContacts,
    returns: item(ContactShape),
    load: (ctx, { id }) => findContact(ctx, id),
    handle: (ctx, { item: contact }) => readContact(ctx, contact),
  }),
  crm.put('/people/{id}', {
    title: 'Update a contact of the CRM',
    access: WriteContacts,
    body: input.changes(fields),
    returns: item(ContactShape),
    load: (ctx, { id }) => lockContact(ctx, id),
    handle: (ctx, { item: contact, body }) => updateContact(ctx, contact, body),
  }),
  crm.delete('/people/{id}', {
    title: 'Delete a contact of the CRM',
    access: WriteContacts,
    returns: nothing('contact_id'),
    load: (ctx, { id }) => lockContact(ctx, id),
    handle: (ctx, { item: contact }) => deleteContact(ctx, contact),
  }),
];
