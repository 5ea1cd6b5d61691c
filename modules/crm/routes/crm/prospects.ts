import { created, crm, findOr404, input, item, list, lock, nothing, pageOf, remove, z } from '@keelson/core';
import { ReadProspects, WriteProspects } from '../../permissions.ts';
import { convertProspect } from '../../prospects/convert-prospect.ts';
import { prospectStatuses } from '../../prospects/entities.ts';
import { ProspectDetail, readProspectDetail } from '../../prospects/prospect-detail.ts';
import { createProspect, Prospects, ProspectView, showProspect, updateProspect } from '../../prospects/prospects.ts';
import { assignee, customFields } from './fields.ts';

const fields = {
  name: input.text(255, { compared: true }).optional(),
  account_name: input.text(255, { compared: true }).optional(),
  company_name: input.text(255, { compared: true }).optional(),
  industry: input.optionalText(255),
  website: input.optionalUrl(),
  phone: input.phone(),
  email: input.optionalEmail(),
  address: input.optionalText(255),
  city: input.optionalText(255),
  state: input.optionalText(255).meta({ title: 'State or province' }),
  zip: input.optionalText(32),
  country: input.optionalText(255),
  assigned_to: assignee(),
  custom_fields: customFields(),
};

export default [
  crm.get('/prospects', {
    title: 'List prospects',
    access: ReadProspects,
    query: crm.paging(ProspectView.query),
    returns: list(ProspectView),
    handle: (ctx, { query }) => pageOf(ctx, ProspectView, query),
  }),
  crm.post('/prospects', {
    title: 'Add a prospect',
    access: WriteProspects,
    body: z.object({ ...fields, status: input.optional(input.choice(prospectStatuses)) }),
    returns: created(ProspectView),
    handle: async (ctx, { body }) => showProspect(await createProspect(ctx, body)),
  }),
  crm.get('/prospects/{id}', {
    title: 'Read a prospect in full',
    access: ReadProspects,
    returns: item(ProspectDetail),
    load: (ctx, { id }) => findOr404(ctx, Prospects, id),
    handle: (ctx, { item: prospect }) => readProspectDetail(ctx, prospect),
  }),
  crm.put('/prospects/{id}', {
    title: 'Update a prospect',
    access: WriteProspects,
    body: input.changes({ ...fields, status: input.choice(prospectStatuses) }),
    returns: item(ProspectView),
    load: (ctx, { id }) => lock(ctx, Prospects, id),
    handle: async (ctx, { item: prospect, body }) => showProspect(await updateProspect(ctx, prospect, body)),
  }),
  crm.delete('/prospects/{id}', {
    title: 'Delete a prospect',
    access: WriteProspects,
    returns: nothing('prospect_id'),
    load: (ctx, { id }) => lock(ctx, Prospects, id),
    handle: (ctx, { item: prospect }) => remove(ctx, Prospects, prospect),
  }),
  crm.post('/prospects/{id}/convert', {
    title: 'Convert a prospect to a customer',
    access: WriteProspects,
    body: z.object({ company_number: input.optional(input.id()), create_contacts: input.optional(input.flag()) }),
    returns: item(z.object({ prospect_id: z.int(), company_number: z.int(), status: z.literal('converted') })),
    load: (ctx, { id }) => lock(ctx, Prospects, id),
    handle: (ctx, { item: prospect, body: { company_number, create_contacts = true } }) =>
      convertProspect(ctx, prospect, { company_number, create_contacts }),
  }),
];
