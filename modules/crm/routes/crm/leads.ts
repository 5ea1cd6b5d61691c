import { created, crm, input, item, list, nothing, param, z } from '@keelson/core';
import { createActivity, listActivities } from '../../activities.ts';
import { convertLead, requireConverter } from '../../convert-lead.ts';
import { readLeadDetail } from '../../details.ts';
import { leadStatuses } from '../../entities/lead.ts';
import { leadSorts, listLeads } from '../../lead-list.ts';
import { createLead, deleteLead, findLead, lockLead, updateLead } from '../../leads.ts';
import {
  convertLeads,
  DeleteLeads,
  ReadActivities,
  ReadLeads,
  WriteActivities,
  WriteLeads,
} from '../../permissions.ts';
import { ActivityShape, LeadDetail, LeadItem } from '../../shapes.ts';
import { activityFields, assignee, customFields, formAnswers } from './fields.ts';

const fields = {
  first_name: input.optionalText(255),
  last_name: input.optionalText(255),
  email: input.optionalEmail(),
  phone: input.phone(),
  company_name: input.optionalText(255),
  source: input.optionalText(255),
  form_type: input.optionalText(255),
  raw_payload: input.optional(formAnswers()),
  custom_fields: customFields(),
};

/** What a page of leads is asked by; the administrative shortcut takes the same. */
export const leadQuery = {
  status: param.choice(leadStatuses, { all: true }),
  source: param.text(),
  assigned_to: param.id(),
  search: param.text(),
  created_after: param.dayOrTime('from'),
  created_before: param.dayOrTime('to'),
  sort: param.sort(leadSorts, 'created_at'),
  order: param.order(),
};

export default [
  crm.get('/leads', {
    title: 'List leads',
    access: ReadLeads,
    query: crm.paging(leadQuery),
    returns: list(LeadItem),
    handle: (ctx, { query }) => listLeads(ctx, query),
  }),
  crm.post('/leads', {
    title: 'Take in a lead',
    access: WriteLeads,
    body: z.object(fields),
    returns: created(LeadItem.pick({ lead_id: true, status: true, created_at: true })),
    handle: (ctx, { body }) => createLead(ctx, body),
  }),
  crm.get('/leads/{id}', {
    title: 'Read a lead with its history and links',
    access: ReadLeads,
    returns: item(LeadDetail),
    load: (ctx, { id }) => findLead(ctx, id),
    handle: (ctx, { item: lead }) => readLeadDetail(ctx, lead),
  }),
  crm.put('/leads/{id}', {
    title: 'Update a lead',
    access: WriteLeads,
    body: input.changes({
      ...fields,
      status: input.choice(leadStatuses),
      score: input.int(0, 100),
      assigned_to: assignee(),
    }),
    returns: item(LeadDetail),
    load: (ctx, { id }) => lockLead(ctx, id),
    handle: async (ctx, { item: lead, body }) => readLeadDetail(ctx, await updateLead(ctx, lead, body)),
  }),
  crm.delete('/leads/{id}', {
    title: 'Delete a lead',
    access: DeleteLeads,
    returns: nothing('lead_id'),
    load: (ctx, { id }) => lockLead(ctx, id),
    handle: (ctx, { item: lead }) => deleteLead(ctx, lead),
  }),
  crm.post('/leads/{id}/convert', {
    title: 'Convert a lead',
    access: convertLeads,
    body: z.object({
      create_contact: input.optional(input.flag()),
      create_prospect: input.optional(input.flag()),
      create_opportunity: input.optional(input.flag()),
      opportunity_name: input.optionalText(255),
      opportunity_value: input.optional(input.money({ min: 0 })),
    }),
    returns: item(
      z.object({
        contact_id: z.int().nullable(),
        prospect_id: z.int().nullable(),
        opportunity_id: z.int().nullable(),
        lead_status: z.literal('converted'),
      }),
    ),
    load: (ctx, { id }) => lockLead(ctx, id),
    handle: (ctx, { item: lead, body }) => {
      const { create_contact = true, create_prospect = true, create_opportunity = false } = body;
      const wanted = { ...body, create_contact, create_prospect, create_opportunity };
      requireConverter(ctx.actor, wanted);
      return convertLead(ctx, lead, wanted);
    },
  }),
  crm.post('/leads/{id}/activities', {
    title: 'Log an activity of a lead',
    access: WriteActivities,
    body: z.object(activityFields),
    returns: created(ActivityShape),
    load: (ctx, { id }) => lockLead(ctx, id),
    handle: (ctx, { item: { lead_id }, body }) =>
      createActivity(ctx, { ...body, entity_type: 'lead', entity_id: lead_id }),
  }),
  crm.get('/leads/{id}/activities', {
    title: 'List a lead’s activities',
    access: ReadActivities,
    query: crm.paging({}),
    returns: list(ActivityShape),
    load: (ctx, { id }) => findLead(ctx, id),
    handle: (ctx, { item: { lead_id }, query: { page, size } }) =>
      listActivities(ctx, { entity_type: 'lead', entity_id: lead_id, page, size }),
  }),
];
