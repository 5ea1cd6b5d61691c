import { created, crm, findOr404, input, item, list, lock, nothing, pageOf, remove, showOne, z } from '@keelson/core';
import { createActivity, listActivities, NamedActivityView } from '../../activities/activities.ts';
import { convertLead, requireConverter } from '../../leads/convert-lead.ts';
import { leadStatuses } from '../../leads/entities.ts';
import { LeadDetail, readLeadDetail } from '../../leads/lead-detail.ts';
import { createLead, LeadItem, LeadReceipt, Leads, updateLead } from '../../leads/leads.ts';
import {
  convertLeads,
  DeleteLeads,
  ReadActivities,
  ReadLeads,
  WriteActivities,
  WriteLeads,
} from '../../permissions.ts';
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

export default [
  crm.get('/leads', {
    title: 'List leads',
    access: ReadLeads,
    query: crm.paging(LeadItem.query),
    returns: list(LeadItem),
    handle: (ctx, { query }) => pageOf(ctx, LeadItem, query),
  }),
  crm.post('/leads', {
    title: 'Create a lead',
    access: WriteLeads,
    body: z.object(fields),
    returns: created(LeadReceipt),
    handle: (ctx, { body }) => showOne(ctx, LeadReceipt, createLead(ctx, body)),
  }),
  crm.get('/leads/{id}', {
    title: 'Read a lead with its history and links',
    access: ReadLeads,
    returns: item(LeadDetail),
    load: (ctx, { id }) => findOr404(ctx, Leads, id),
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
    load: (ctx, { id }) => lock(ctx, Leads, id),
    handle: async (ctx, { item: lead, body }) => readLeadDetail(ctx, await updateLead(ctx, lead, body)),
  }),
  crm.delete('/leads/{id}', {
    title: 'Delete a lead',
    access: DeleteLeads,
    returns: nothing('lead_id'),
    load: (ctx, { id }) => lock(ctx, Leads, id),
    handle: (ctx, { item: lead }) => remove(ctx, Leads, lead),
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
    load: (ctx, { id }) => lock(ctx, Leads, id),
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
    returns: created(NamedActivityView),
    load: (ctx, { id }) => lock(ctx, Leads, id),
    handle: (ctx, { item: { lead_id }, body }) =>
      showOne(ctx, NamedActivityView, createActivity(ctx, { ...body, entity_type: 'lead', entity_id: lead_id })),
  }),
  crm.get('/leads/{id}/activities', {
    title: 'List a lead’s activities',
    access: ReadActivities,
    query: crm.paging({}),
    returns: list(NamedActivityView),
    load: (ctx, { id }) => findOr404(ctx, Leads, id),
    handle: (ctx, { item: { lead_id }, query: { page, size } }) =>
      listActivities(ctx, { entity_type: 'lead', entity_id: lead_id, page, size }),
  }),
];
