import { z } from '@keelson/core';
import { activityTypes } from './activities/entities.ts';
import { fieldTypes, FieldValue } from './custom-fields/entities.ts';
import { entityTypes } from './entity-types.ts';
import { opportunityStatuses } from './opportunities/entities.ts';
import { prospectStatuses } from './prospects/entities.ts';
import { LeadItem } from './leads/leads.ts';

const moment = z.iso.datetime();
const maybeId = z.int().nullable();
const custom_fields = z.record(z.string(), FieldValue);

export const ActivityShape = z.object({
  activity_id: z.int(),
  type: z.enum(activityTypes),
  subject: z.string(),
  description: z.string(),
  entity_type: z.enum(entityTypes),
  entity_id: z.int(),
  assigned_to: maybeId,
  due_date: moment.nullable(),
  duration_minutes: z.int().nullable(),
  completed: z.boolean(),
  completed_at: moment.nullable(),
  created_by: z.string(),
  created_at: moment,
  updated_at: moment,
});

export const NoteShape = z.object({
  note_id: z.int(),
  entity_type: z.enum(entityTypes),
  entity_id: z.int(),
  content: z.string(),
  is_pinned: z.boolean(),
  created_by: z.string(),
  created_at: moment,
  updated_at: moment,
});

export const CustomFieldShape = z.object({
  field_id: z.int(),
  entity_type: z.enum(entityTypes),
  field_key: z.string(),
  label: z.string(),
  field_type: z.enum(fieldTypes),
  options: z.array(z.string()),
  required: z.boolean(),
  default_value: FieldValue.nullable(),
  sort_order: z.int(),
  created_at: moment,
  updated_at: moment,
});

export const ContactShape = z.object({
  contact_id: z.int(),
  prospect_id: maybeId,
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone: z.string(),
  mobile: z.string(),
  title: z.string(),
  company_name: z.string(),
  tags: z.array(z.string()),
  assigned_to: maybeId,
  lead_id: maybeId,
  custom_fields,
  created_at: moment,
  updated_at: moment,
});

export const ProspectShape = z.object({
  prospect_id: z.int(),
  name: z.string(),
  industry: z.string(),
  website: z.string(),
  phone: z.string(),
  email: z.string(),
  address: z.string(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
  country: z.string(),
  status: z.enum(prospectStatuses),
  assigned_to: maybeId,
  company_number: maybeId,
  custom_fields,
  created_at: moment,
  updated_at: moment,
});

export const OpportunityShape = z.object({
  opportunity_id: z.int(),
  name: z.string(),
  prospect_id: maybeId,
  prospect_name: z.string().nullable(),
  contact_id: maybeId,
  lead_id: maybeId,
  stage: z.string(),
  status: z.enum(opportunityStatuses),
  value: z.number(),
  currency: z.string(),
  probability: z.int(),
  expected_close_date: z.iso.date().nullable(),
  assigned_to: maybeId,
  lost_reason: z.string().nullable(),
  closed_at: moment.nullable(),
  custom_fields,
  created_at: moment,
  updated_at: moment,
});

/** What a record is linked to, in short. */
const LinkedContact = ContactShape.pick({ contact_id: true, first_name: true, last_name: true, email: true });
const LinkedProspect = ProspectShape.pick({ prospect_id: true, name: true, status: true });
const LinkedLead = LeadItem.shape.pick({ lead_id: true, first_name: true, last_name: true, email: true, status: true });
const LinkedOpportunity = OpportunityShape.pick({
  opportunity_id: true,
  name: true,
  stage: true,
  status: true,
  value: true,
  currency: true,
});

const parts = { activities: z.array(ActivityShape), notes: z.array(NoteShape) };

export const LeadDetail = LeadItem.shape.extend({
  form_type: z.string(),
  raw_payload: z.record(z.string(), z.string()),
  custom_fields,
  contact_id: maybeId,
  prospect_id: maybeId,
  opportunity_id: maybeId,
  converted_at: moment.nullable(),
  ...parts,
  linked_entities: z.object({
    contact: LinkedContact.nullable(),
    prospect: LinkedProspect.nullable(),
    opportunity: LinkedOpportunity.nullable(),
  }),
});

export const OpportunityDetail = OpportunityShape.extend({
  ...parts,
  linked_entities: z.object({
    prospect: LinkedProspect.nullable(),
    contact: LinkedContact.nullable(),
    lead: LinkedLead.nullable(),
  }),
});

export const ProspectDetail = ProspectShape.extend({
  contacts: z.array(ContactShape),
  opportunities: z.array(OpportunityShape),
  activities: z.array(ActivityShape),
});

export const SearchAnswer = z.object({
  results: z.array(
    z.object({
      type: z.enum(entityTypes),
      id: z.int(),
      title: z.string(),
      subtitle: z.string(),
      score: z.number(),
      url: z.string(),
    }),
  ),
  total: z.int(),
});
