import { created, crm, input, item, list, nothing, param, z } from '@keelson/core';
import { convertProspect } from '../../prospects/convert-prospect.ts';
import { readProspectDetail } from '../../details.ts';
import { prospectStatuses } from '../../prospects/entities.ts';
import { ReadProspects, WriteProspects } from '../../permissions.ts';
import { listProspects } from '../../prospects/prospect-list.ts';
import {
  createProspect,
  deleteProspect,
  findProspect,
  lockProspect,
  updateProspect,
} from '../../prospects/prospects.ts';
import { ProspectDetail, ProspectShape } from '../../shapes.ts';
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
  state: input.optionalText(255),
  zip: input.optionalText(32),
  country: input.optionalText(255),
  assigned_to: assignee(),
  custom_fields: customFields(),
};

export default [
  crm.get('/prospects', {
    title: 'List prospects',
    access: ReadProspects,
    query: crm.paging({
      search: param.search(),
      status: param.choice(prospectStatuses, { all: true }),
      industry: param.text(),
    }),
    returns: list(ProspectShape),
    handle: (ctx, { query }) => listProspects(ctx, query),
  }),
  crm.post('/prospects', {
    title: 'Add a prospect',
    access: WriteProspects,
    body: z.object({ ...fields, status: input.optional(input.choice(prospectStatuses)) }),
    returns: created(ProspectShape),
    handle: (ctx, { body }) => createProspect(ctx, body),
  }),
  crm.get('/prospects/{id}', {
    title: 'Read a prospect with all that belongs to it',
    access: ReadProspects,
    returns: item(ProspectDetail),
    load: (ctx, { id }) => findProspect(ctx, id),
    handle: (ctx, { item: prospect }) => readProspectDetail(ctx, prospect),
  }),
  crm.put('/prospects/{id}', {
    title: 'Update a prospect',
    access: WriteProspects,
    body: input.changes({ ...fields, status: input.choice(prospectStatuses) }),
    returns: item(ProspectShape),
    load: (ctx, { id }) => lockProspect(ctx, id),
    handle: (ctx, { item: prospect, body }) => updateProspect(ctx, prospect, body),
  }),
  crm.delete('/prospects/{id}', {
    title: 'Delete a prospect',
    access: WriteProspects,
    returns: nothing('prospect_id'),
    load: (ctx, { id }) => lockProspect(ctx, id),
    handle: (ctx, { item: prospect }) => deleteProspect(ctx, prospect),
  }),
  crm.post('/prospects/{id}/convert', {
    title: 'Convert a prospect to a customer',
    access: WriteProspects,
    body: z.object({ company_number: input.optional(input.id()), create_contacts: input.optional(input.flag()) }),
    returns: item(z.object({ prospect_id: z.int(), company_number: z.int(), status: z.literal('converted') })),
    load: (ctx, { id }) => lockProspect(ctx, id),
    handle: (ctx, { item: prospect, body: { company_number, create_contacts = true } }) =>
      convertProspect(ctx, prospect, { company_number, create_contacts }),
  }),
];
