import { created, crm, findOr404, input, item, list, lock, nothing, pageOf, remove, showOne, z } from '@keelson/core';
import { Contacts, ContactView, createContact, showContact, updateContact } from '../../contacts/contacts.ts';
import { ReadContacts, WriteContacts } from '../../permissions.ts';
import { assignee, customFields } from './fields.ts';

const fields = {
  first_name: input.optionalText(255),
  last_name: input.optionalText(255),
  email: input.optionalEmail(),
  phone: input.phone(),
  mobile: input.phone(),
  title: input.optionalText(255).meta({ title: 'Job title' }),
  company_name: input.optionalText(255),
  tags: input.optional(z.array(input.text(64, { compared: true })).max(50)),
  prospect_id: input.clearable(input.id()),
  assigned_to: assignee(),
  custom_fields: customFields(),
};

export default [
  crm.get('/people', {
    title: 'List CRM contacts',
    access: ReadContacts,
    query: crm.paging(ContactView.query),
    returns: list(ContactView),
    handle: (ctx, { query }) => pageOf(ctx, ContactView, query),
  }),
  crm.post('/people', {
    title: 'Create a CRM contact',
    access: WriteContacts,
    body: z.object(fields),
    returns: created(ContactView),
    handle: async (ctx, { body }) => showContact(await createContact(ctx, body)),
  }),
  crm.get('/people/{id}', {
    title: 'Read a CRM contact',
    access: ReadContacts,
    returns: item(ContactView),
    load: (ctx, { id }) => findOr404(ctx, Contacts, id),
    handle: (ctx, { item: contact }) => showOne(ctx, ContactView, contact),
  }),
  crm.put('/people/{id}', {
    title: 'Update a CRM contact',
    access: WriteContacts,
    body: input.changes(fields),
    returns: item(ContactView),
    load: (ctx, { id }) => lock(ctx, Contacts, id),
    handle: async (ctx, { item: contact, body }) => showContact(await updateContact(ctx, contact, body)),
  }),
  crm.delete('/people/{id}', {
    title: 'Delete a CRM contact',
    access: WriteContacts,
    returns: nothing('contact_id'),
    load: (ctx, { id }) => lock(ctx, Contacts, id),
    handle: (ctx, { item: contact }) => remove(ctx, Contacts, contact),
  }),
];
